package rtcompare

import (
	"math/bits"
	randv2 "math/rand/v2"
)

// DPRNG is a deterministic pseudo-random number generator, xorshift64* with
// Vigna's multiplier. The same seed always gives the same numbers, which is what
// benchmark inputs, build orders and bootstrap replicates need. It occupies 8
// bytes, repeats after 2^64-1 steps, and takes the same time for every step. It
// is no source of secrets.
//
// Make one with NewDPRNG. The zero value is of no use: it gives zeros only. A
// DPRNG is a value, and a copy goes on from the same point. Goroutines must not
// share one.
type DPRNG struct {
	state uint64
}

const (
	xorshiftMultiplier = 0x2545F4914F6CDD1D
	goldenGamma        = 0x9E3779B97F4A7C15
)

// NewDPRNG returns a generator for the given seed. Seed 0 asks for a random
// one, so that NewDPRNG(0) differs from call to call. A seed that is computed
// and may turn out as 0 has to be mapped to another number where the sequence
// must be repeatable, for example by seed|1.
//
// Neighbouring seeds give unrelated sequences.
func NewDPRNG(seed uint64) DPRNG {
	for seed == 0 {
		seed = randv2.Uint64()
	}
	return seeded(seed)
}

// seeded makes a generator for any seed, 0 included. One round of splitmix64
// spreads the seed over all bits: taken as they are, small seeds would start
// next to each other and give small numbers first. Exactly one seed leads to
// state 0, which xorshift never leaves; it gets another state.
func seeded(seed uint64) DPRNG {
	z := seed + goldenGamma
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	if z == 0 {
		z = goldenGamma
	}
	return DPRNG{state: z}
}

// Uint64 takes one step and returns its number. Over a whole period every
// 64-bit number but 0 comes exactly once. Every other method takes one step as
// well, except Shuffle, which takes one for each exchange.
func (r *DPRNG) Uint64() uint64 {
	x := r.state
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	r.state = x
	return x * xorshiftMultiplier
}

// Uint32 returns a uniform 32-bit number: the high half of a step, whose bits
// are mixed best.
func (r *DPRNG) Uint32() uint32 { return uint32(r.Uint64() >> 32) }

// Uint16 returns a uniform 16-bit number, from the high bits of a step.
func (r *DPRNG) Uint16() uint16 { return uint16(r.Uint64() >> 48) }

// Uint8 returns a uniform 8-bit number, from the high bits of a step.
func (r *DPRNG) Uint8() uint8 { return uint8(r.Uint64() >> 56) }

// Int64 returns a number uniform over all int64, negative ones included.
func (r *DPRNG) Int64() int64 { return int64(r.Uint64()) }

// Int32 returns a number uniform over all int32, negative ones included.
func (r *DPRNG) Int32() int32 { return int32(r.Uint32()) }

// Int16 returns a number uniform over all int16, negative ones included.
func (r *DPRNG) Int16() int16 { return int16(r.Uint16()) }

// Int8 returns a number uniform over all int8, negative ones included.
func (r *DPRNG) Int8() int8 { return int8(r.Uint8()) }

// Float64 returns a number in [0, 1), uniform over the multiples of 2^-53. That
// is every bit a float64 has; 1 never comes.
func (r *DPRNG) Float64() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// Float32 returns a number in [0, 1), uniform over the multiples of 2^-24. That
// is every bit a float32 has; 1 never comes.
func (r *DPRNG) Float32() float32 { return float32(r.Uint64()>>40) * 0x1p-24 }

// Uint32N returns a number in [0, n), and 0 for n = 0. It multiplies and takes
// the high word instead of dividing, and always takes one step. Where n is no
// power of two some numbers come more often than others, by less than one part
// in 2^32.
func (r *DPRNG) Uint32N(n uint32) uint32 {
	high, _ := bits.Mul64(r.Uint64(), uint64(n))
	return uint32(high)
}

// Shuffle puts n elements in a pseudo-random order. swap exchanges the elements
// at two indices. For n below 2 it does nothing.
//
// Shuffle the order in which a process builds its fixtures: what is built last
// lies elsewhere in memory and is the last thing the caches saw, and with a
// fixed order the same candidate has that advantage in every process.
func (r *DPRNG) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		j, _ := bits.Mul64(r.Uint64(), uint64(i)+1)
		swap(i, int(j))
	}
}
