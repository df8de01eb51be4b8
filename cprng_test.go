package rtcompare

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// scripted returns a CPRNG with a buffer of 8 bytes that draws the given bytes,
// and then zeros.
func scripted(content ...byte) *CPRNG {
	return &CPRNG{fill: func(b []byte) {
		clear(b)
		content = content[copy(b, content):]
	}}
}

func TestCPRNGTakesEachByteOnce(t *testing.T) {
	var content []byte
	for i := range 64 {
		content = append(content, byte(i))
	}
	c := scripted(content...)
	if c.Uint8() != 0 || c.Uint16() != 0x0201 || c.Uint32() != 0x06050403 {
		t.Error("bytes of the first buffer are wrong")
	}
	// One byte is left: it is dropped, not joined with the next buffer.
	if got := c.Uint16(); got != 0x0908 {
		t.Errorf("after the first buffer comes %#x", got)
	}
	if got := c.Uint64(); got != binary.LittleEndian.Uint64(content[16:24]) {
		t.Errorf("a whole buffer reads %#x", got)
	}
}

func TestCPRNGDrawsAgainWhatIsSpare(t *testing.T) {
	all := bytes.Repeat([]byte{0xFF}, 4)
	// 2^32 mod 3 = 1: of all numbers only 0 is one too many.
	c := scripted(append([]byte{0, 0, 0, 0}, all...)...)
	if got := c.Uint32N(3); got != 2 {
		t.Errorf("got %d, want 2 from the second number", got)
	}
	c = scripted(append([]byte{1, 0, 0, 0}, all...)...)
	if got := c.Uint32N(3); got != 0 {
		t.Errorf("got %d, want 0 from the first number", got)
	}
	c = scripted(append(make([]byte, 8), bytes.Repeat([]byte{0xFF}, 8)...)...)
	if got := c.uint64N(3); got != 2 {
		t.Errorf("64 bits: got %d, want 2 from the second number", got)
	}
	// Powers of two have no spare numbers.
	c = scripted(0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF)
	if got := c.Uint32N(1 << 31); got != 0 {
		t.Errorf("got %d, want 0 from the first number", got)
	}
}

func TestCPRNGSmallBuffers(t *testing.T) {
	generators := map[string]*CPRNG{"zero value": {}}
	for name, size := range map[string]uint32{"0": 0, "1": 1, "7": 7, "8": 8, "9": 9, "4096": 4096} {
		generators[name] = NewCPRNG(size)
	}
	for name, c := range generators {
		seen := map[uint64]bool{}
		for range 500 {
			c.Uint8()
			c.Uint16()
			c.Uint32()
			seen[c.Uint64()] = true
		}
		if len(seen) != 500 {
			t.Errorf("%s: %d different numbers of 500", name, len(seen))
		}
	}
}

func TestCPRNGUint32NBounds(t *testing.T) {
	c := NewCPRNG(1024)
	for _, n := range []uint32{0, 1, 2, 3, 98304, 1 << 31, math.MaxUint32} {
		for range 2000 {
			if got := c.Uint32N(n); got >= max(n, 1) {
				t.Fatalf("Uint32N(%d) = %d", n, got)
			}
		}
	}
}

// spread draws values in [0, buckets) and returns how many standard deviations
// their chi-square lies above what even buckets give.
func spread(draws, buckets int, draw func() int) float64 {
	counts := make([]int, buckets)
	for range draws {
		counts[draw()]++
	}
	expected, chi := float64(draws)/float64(buckets), 0.0
	for _, count := range counts {
		chi += (float64(count) - expected) * (float64(count) - expected) / expected
	}
	return math.Sqrt(2*chi) - math.Sqrt(2*float64(buckets)-3)
}

// These numbers are different in every run. The limit of six standard
// deviations leaves one failure in a thousand million runs.
func TestCPRNGIsEven(t *testing.T) {
	c := NewCPRNG(8192)
	for _, test := range []struct {
		name    string
		draws   int
		buckets int
		draw    func() int
	}{
		{"Uint8", 500_000, 256, func() int { return int(c.Uint8()) }},
		{"Uint16", 1_000_000, 65536, func() int { return int(c.Uint16()) }},
		{"Uint32, high", 500_000, 4096, func() int { return int(c.Uint32() >> 20) }},
		{"Uint64, low", 500_000, 4096, func() int { return int(c.Uint64() & 4095) }},
		{"Int8", 500_000, 256, func() int { return int(c.Int8()) + 128 }},
		{"Int16", 500_000, 256, func() int { return (int(c.Int16()) + 32768) >> 8 }},
		{"Int32", 500_000, 256, func() int { return int((int64(c.Int32()) + 1<<31) >> 24) }},
		{"Int64", 500_000, 256, func() int { return int(c.Int64()>>56) + 128 }},
		{"Float32", 500_000, 1000, func() int { return int(c.Float32() * 1000) }},
		{"Float64", 500_000, 1000, func() int { return int(c.Float64() * 1000) }},
		{"Uint32N(98304)", 1_000_000, 98304, func() int { return int(c.Uint32N(98304)) }},
		{"Uint32N(3<<30)", 500_000, 3, func() int { return int(c.Uint32N(3<<30) >> 30) }},
		{"Uint32N(13)", 500_000, 13, func() int { return int(c.Uint32N(13)) }},
	} {
		if sd := spread(test.draws, test.buckets, test.draw); sd > 6 {
			t.Errorf("%s: uneven by %.1f standard deviations", test.name, sd)
		}
	}
}

func TestCPRNGFloatsStayBelowOne(t *testing.T) {
	ones := func() *CPRNG { return &CPRNG{fill: func(b []byte) { copy(b, bytes.Repeat([]byte{0xFF}, len(b))) }} }
	if got := ones().Float64(); got != 1-0x1p-53 {
		t.Errorf("largest Float64 is %v", got)
	}
	if got := ones().Float32(); got != 1-0x1p-24 {
		t.Errorf("largest Float32 is %v", got)
	}
	if a, b := scripted().Float64(), scripted().Float32(); a != 0 || b != 0 || math.Signbit(a) {
		t.Errorf("smallest are %v and %v", a, b)
	}
}

func TestCPRNGShuffle(t *testing.T) {
	testShuffle(t, NewCPRNG(8192))
}
