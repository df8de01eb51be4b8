package machine

import (
	"fmt"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
)

// chase follows a random cycle through an array of the given size. Each step
// needs the one before, so its time is that of the level of the memory that the
// array fits into.
func chase(bytes int) func(r *rand.Rand) func(int) rtcompare.Batch {
	return func(r *rand.Rand) func(int) rtcompare.Batch {
		ring := cycle(r, bytes)
		return func(steps int) rtcompare.Batch {
			at := uint32(0)
			return func(n uint64) {
				for range n * uint64(steps) {
					at = ring[at]
				}
				sink += uint64(at)
			}
		}
	}
}

// cycle is a random permutation with a single cycle (Sattolo's algorithm).
func cycle(r *rand.Rand, bytes int) []uint32 {
	ring := make([]uint32, bytes/4)
	for i := range ring {
		ring[i] = uint32(i)
	}
	for i := len(ring) - 1; i > 0; i-- {
		j := r.IntN(i)
		ring[i], ring[j] = ring[j], ring[i]
	}
	return ring
}

// sizeName writes a number of bytes that is a power of two.
func sizeName(bytes int) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", bytes>>10)
}

func chases() []Workload {
	return []Workload{{"chase", chase(4 << 20)}}
}
