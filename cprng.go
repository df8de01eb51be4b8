package rtcompare

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// CPRNG is a random number generator on top of crypto/rand. It fetches random
// bytes in batches, so that most calls do not reach the operating system. Its
// numbers cannot be predicted or repeated, and a call that has to fetch bytes
// takes longer than others.
//
// Make one with NewCPRNG; the zero value works like NewCPRNG(0). Goroutines must
// not share one.
type CPRNG struct {
	buffer []byte
	used   int
	// fill puts random bytes into a buffer; nil means crypto/rand. Tests set it.
	fill func([]byte)
}

// smallestBuffer is the largest number of bytes any method takes at once.
const smallestBuffer = 8

// NewCPRNG returns a generator that fetches capBytes random bytes at a time, at
// least 8. The first are fetched at once. A larger buffer asks the operating
// system less often and takes more memory.
func NewCPRNG(capBytes uint32) *CPRNG {
	c := &CPRNG{buffer: make([]byte, max(capBytes, smallestBuffer))}
	c.refill()
	return c
}

func (c *CPRNG) refill() {
	if len(c.buffer) < smallestBuffer {
		c.buffer = make([]byte, smallestBuffer)
	}
	if c.fill != nil {
		c.fill(c.buffer)
	} else {
		// It always fills the buffer. A system without randomness ends the
		// program, by crypto/rand's own decision.
		_, _ = rand.Read(c.buffer)
	}
	c.used = 0
}

// take returns the next n bytes, at most smallestBuffer. A rest too short for
// them is dropped.
func (c *CPRNG) take(n int) []byte {
	if len(c.buffer)-c.used < n {
		c.refill()
	}
	c.used += n
	return c.buffer[c.used-n : c.used]
}

// Uint64 returns a uniform 64-bit number.
func (c *CPRNG) Uint64() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

// Uint32 returns a uniform 32-bit number.
func (c *CPRNG) Uint32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }

// Uint16 returns a uniform 16-bit number.
func (c *CPRNG) Uint16() uint16 { return binary.LittleEndian.Uint16(c.take(2)) }

// Uint8 returns a uniform 8-bit number.
func (c *CPRNG) Uint8() uint8 { return c.take(1)[0] }

// Int64 returns a number uniform over all int64, negative ones included.
func (c *CPRNG) Int64() int64 { return int64(c.Uint64()) }

// Int32 returns a number uniform over all int32, negative ones included.
func (c *CPRNG) Int32() int32 { return int32(c.Uint32()) }

// Int16 returns a number uniform over all int16, negative ones included.
func (c *CPRNG) Int16() int16 { return int16(c.Uint16()) }

// Int8 returns a number uniform over all int8, negative ones included.
func (c *CPRNG) Int8() int8 { return int8(c.Uint8()) }

// Float64 returns a number in [0, 1), uniform over the multiples of 2^-53. That
// is every bit a float64 has; 1, -0, infinities and NaN never come.
func (c *CPRNG) Float64() float64 { return float64(c.Uint64()>>11) * 0x1p-53 }

// Float32 returns a number in [0, 1), uniform over the multiples of 2^-24. That
// is every bit a float32 has; 1, -0, infinities and NaN never come. Use Float64
// for finer steps.
func (c *CPRNG) Float32() float32 { return float32(c.Uint32()>>8) * 0x1p-24 }

// Uint32N returns a number in [0, n), each equally likely, and 0 for n = 0 and
// n = 1.
func (c *CPRNG) Uint32N(n uint32) uint32 {
	if n <= 1 {
		return 0
	}
	// Lemire: the high word of number·n lies in [0, n). Every result owns the
	// same number of low words except for 2^32 mod n spare ones, which are
	// those below that remainder and are drawn again. The remainder is below n,
	// so that the division is needed only where the low word is, too.
	product := uint64(c.Uint32()) * uint64(n)
	if uint32(product) < n {
		for spare := -n % n; uint32(product) < spare; {
			product = uint64(c.Uint32()) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// uint64N is Uint32N for n of 64 bits, above 0.
func (c *CPRNG) uint64N(n uint64) uint64 {
	high, low := bits.Mul64(c.Uint64(), n)
	if low < n {
		for spare := -n % n; low < spare; {
			high, low = bits.Mul64(c.Uint64(), n)
		}
	}
	return high
}

// Shuffle puts n elements in a random order, each order equally likely. swap
// exchanges the elements at two indices. For n below 2 it does nothing. Use a
// DPRNG for an order that has to be repeated.
func (c *CPRNG) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(c.uint64N(uint64(i)+1)))
	}
}
