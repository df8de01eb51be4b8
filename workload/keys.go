package workload

import (
	"fmt"
	"math/bits"
)

// KeyOrder says which key an element has.
type KeyOrder int

const (
	// Scattered keys lie anywhere among the 64-bit numbers, in no relation to
	// the order of insertion. Distinct elements have distinct keys.
	Scattered KeyOrder = iota
	// Sequential keys are the IDs themselves: every transient element goes to
	// the right edge of an ordered structure, as with time stamps.
	Sequential
	// Clustered keys come in groups of Config.ClusterSize consecutive numbers.
	// The groups are scattered. Elements of a group have neighbouring IDs, so
	// transient ones arrive one after the other, as the rows of one user do.
	Clustered
)

// String returns "Scattered", "Sequential", "Clustered", or "KeyOrder(n)".
func (o KeyOrder) String() string {
	switch o {
	case Scattered:
		return "Scattered"
	case Sequential:
		return "Sequential"
	case Clustered:
		return "Clustered"
	}
	return fmt.Sprintf("KeyOrder(%d)", int(o))
}

const (
	gamma = 0x9E3779B97F4A7C15
	odd1  = 0xBF58476D1CE4E5B9
	odd2  = 0x94D049BB133111EB

	keySalt    = 0x6B657973
	streamSalt = 0x6F707365
)

// mix maps the 64-bit numbers onto themselves, one to one, and leaves no trace
// of their order (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * odd1
	x = (x ^ x>>27) * odd2
	return x ^ x>>31
}

// spreader maps the numbers below a power of two onto themselves, one to one and
// without visible order. Every step can be undone within the width.
type spreader struct {
	mask uint64
	half uint8
}

// newSpreader makes one for the numbers below 2^width; width is at most 64.
func newSpreader(width uint) spreader {
	return spreader{mask: ^uint64(0) >> (64 - width), half: uint8((width + 1) / 2)}
}

func (s spreader) spread(x uint64) uint64 {
	x = (x + gamma) * odd1 & s.mask
	x ^= x >> (s.half & 63)
	x = x * odd2 & s.mask
	return x ^ x>>(s.half&63)
}

// keyring computes keys; it holds what is the same for all of them.
type keyring struct {
	order  KeyOrder
	mask   uint64 // from the seed
	size   uint32 // of a cluster
	shift  uint   // bits for the place within a cluster
	groups spreader
}

func (c Config) keyring() keyring {
	k := keyring{order: c.Keys, mask: mix(c.Seed + keySalt)}
	if k.order == Clustered {
		k.size = DefaultClusterSize
		if c.ClusterSize > 0 {
			k.size = uint32(min(uint64(c.ClusterSize), maxClusterSize))
		}
		k.shift = uint(bits.Len32(k.size - 1))
		// There are fewer groups than there are numbers of the remaining width,
		// so that no two groups share their high bits.
		k.groups = newSpreader(64 - k.shift)
	}
	return k
}

func (k *keyring) key(id uint32) uint64 {
	switch k.order {
	case Sequential:
		return uint64(id)
	case Clustered:
		group := (uint64(id/k.size) ^ k.mask) & k.groups.mask
		return k.groups.spread(group)<<k.shift | uint64(id%k.size)
	}
	return mix(uint64(id) ^ k.mask)
}

// Key returns the key of an element. It depends on Seed, Keys and ClusterSize
// only, so that [Build] and [Cycle] of the same Config agree. Distinct IDs have
// distinct keys. An unknown key order counts as [Scattered] here; Build and
// Cycle refuse it.
func (c Config) Key(id uint32) uint64 {
	k := c.keyring()
	return k.key(id)
}
