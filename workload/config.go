package workload

import (
	"fmt"
	"math"
)

const (
	// DefaultRatio is the Ratio of a Config that has none: as many transient
	// elements as permanent ones.
	DefaultRatio = 2.0
	// DefaultMaxBurst is the longest burst where Config.MaxBurst is zero.
	DefaultMaxBurst = 16
	// DefaultMaxScan is the longest scan where Config.MaxScan is zero.
	DefaultMaxScan = 100
	// DefaultClusterSize is the number of keys in a cluster where
	// Config.ClusterSize is zero.
	DefaultClusterSize = 64
	// DefaultZipfExponent is the exponent of [Zipf] where Config.ZipfExponent
	// is zero.
	DefaultZipfExponent = 0.99
	// DefaultHotElements and DefaultHotOperations are the shares of [Hot] where
	// the Config names none: a fifth of the elements gets four fifths of the
	// operations.
	DefaultHotElements   = 0.2
	DefaultHotOperations = 0.8

	maxClusterSize = 1 << 30
	// mostOps is a length beyond all memories.
	mostOps = 1 << 36
	opBytes = 16
)

// Config describes a stream. The zero value is a usable one: as many transient
// elements as permanent ones, random victims, scattered keys, nothing but
// insertions and deletions. The same Config always gives the same stream.
type Config struct {
	// Seed draws everything that is random. Zero is a seed like any other.
	Seed uint64
	// Ratio is the number of all elements divided by that of the permanent
	// ones; zero means [DefaultRatio]. At 1 there are no transient elements,
	// which only [Build] accepts.
	Ratio float64
	// MaxBurst is the longest burst of insertions; zero means
	// [DefaultMaxBurst]. Lengths are uniform from 1.
	MaxBurst int
	// LiveTarget is about how many transient elements are present at a time.
	// Zero means an eighth of the target, at most half of the transient ones,
	// at least 1.
	LiveTarget int
	// Victims says which transient element a deletion takes.
	Victims Policy
	// Keys says which keys the elements have.
	Keys KeyOrder
	// PermanentChurn is the share of deletions that take a permanent element,
	// which is inserted again later; from 0 to below 1.
	PermanentChurn float64
	// Lookups is the number of lookups for each insertion or deletion, MissRate
	// the share of them that look for an absent element.
	Lookups, MissRate float64

	// Updates is the number of updates for each insertion or deletion.
	Updates float64
	// Scans is the number of range scans for each insertion or deletion.
	Scans float64
	// MaxScan is the largest number of elements a scan visits; zero means
	// [DefaultMaxScan]. Lengths are uniform from 1.
	MaxScan int
	// Access says which elements lookups, updates and scans go to.
	Access Access
	// ZipfExponent is the exponent of [Zipf]; zero means [DefaultZipfExponent].
	ZipfExponent float64
	// HotElements and HotOperations are the shares of [Hot]; zero means
	// [DefaultHotElements] and [DefaultHotOperations].
	HotElements, HotOperations float64
	// ClusterSize is the number of neighbouring keys with [Clustered]; zero
	// means [DefaultClusterSize].
	ClusterSize int
	// ChurnVictims says which permanent element PermanentChurn takes. The zero
	// value is [Uniform].
	ChurnVictims Policy
}

func (c Config) withDefaults() Config {
	setDefault(&c.Ratio, DefaultRatio)
	setDefault(&c.MaxBurst, DefaultMaxBurst)
	setDefault(&c.MaxScan, DefaultMaxScan)
	setDefault(&c.ZipfExponent, DefaultZipfExponent)
	setDefault(&c.HotElements, DefaultHotElements)
	setDefault(&c.HotOperations, DefaultHotOperations)
	setDefault(&c.ClusterSize, DefaultClusterSize)
	return c
}

func setDefault[T int | float64](option *T, value T) {
	if *option == 0 {
		*option = value
	}
}

// check looks at every option. The defaults have to be filled in.
func (c Config) check() error {
	switch {
	case c.MaxBurst < 1:
		return fmt.Errorf("option MaxBurst is %d and must not be negative; zero means %d", c.MaxBurst, DefaultMaxBurst)
	case c.LiveTarget < 0:
		return fmt.Errorf("option LiveTarget is %d and must not be negative; zero chooses a fitting one", c.LiveTarget)
	case c.Victims < Uniform || c.Victims > Adjacent:
		return fmt.Errorf("option Victims is %v and has to be Uniform, FIFO, LIFO or Adjacent", c.Victims)
	case c.ChurnVictims < Uniform || c.ChurnVictims > Adjacent:
		return fmt.Errorf("option ChurnVictims is %v and has to be Uniform, FIFO, LIFO or Adjacent", c.ChurnVictims)
	case c.Keys < Scattered || c.Keys > Clustered:
		return fmt.Errorf("option Keys is %v and has to be Scattered, Sequential or Clustered", c.Keys)
	case c.Access < Even || c.Access > Hot:
		return fmt.Errorf("option Access is %v and has to be Even, Zipf or Hot", c.Access)
	case !(c.PermanentChurn >= 0 && c.PermanentChurn < 1):
		return fmt.Errorf("option PermanentChurn is %v and has to be at least 0 and below 1", c.PermanentChurn)
	case !(c.MissRate >= 0 && c.MissRate <= 1):
		return fmt.Errorf("option MissRate is %v and has to lie between 0 and 1", c.MissRate)
	case c.MaxScan < 1 || uint64(c.MaxScan) > math.MaxUint32:
		return fmt.Errorf("option MaxScan is %d and has to lie between 1 and %d; zero means %d", c.MaxScan, uint32(math.MaxUint32), DefaultMaxScan)
	case c.ClusterSize < 1 || uint64(c.ClusterSize) > maxClusterSize:
		return fmt.Errorf("option ClusterSize is %d and has to lie between 1 and %d; zero means %d", c.ClusterSize, uint32(maxClusterSize), DefaultClusterSize)
	}
	return c.checkShares()
}

func (c Config) checkShares() error {
	for _, o := range []struct {
		name  string
		value float64
	}{{"Lookups", c.Lookups}, {"Updates", c.Updates}, {"Scans", c.Scans}, {"ZipfExponent", c.ZipfExponent}} {
		if !(o.value >= 0) || math.IsInf(o.value, 0) {
			return fmt.Errorf("option %s is %v and has to be a number of at least 0", o.name, o.value)
		}
	}
	for _, o := range []struct {
		name  string
		value float64
	}{{"HotElements", c.HotElements}, {"HotOperations", c.HotOperations}} {
		if !(o.value > 0 && o.value <= 1) {
			return fmt.Errorf("option %s is %v and has to lie above 0 and not above 1", o.name, o.value)
		}
	}
	return nil
}

// reads is how many operations that change no membership come with a mutation.
func (c Config) reads() float64 { return c.Lookups + c.Updates + c.Scans }

// transients is the number of transient elements for a target.
func (c Config) transients(target int) (uint64, error) {
	if target < 1 {
		return 0, fmt.Errorf("the target is %d elements and has to be at least 1", target)
	}
	if !(c.Ratio >= 1) || math.IsInf(c.Ratio, 0) {
		return 0, fmt.Errorf("option Ratio is %v and has to be a number of at least 1", c.Ratio)
	}
	count := math.Round((c.Ratio - 1) * float64(target))
	// Lookups that miss need as many IDs again.
	if 2*(float64(target)+count) > math.MaxUint32 {
		return 0, fmt.Errorf("%d permanent and %.0f transient elements are more than 32-bit IDs can number; lower the target or the option Ratio", target, count)
	}
	return uint64(count), nil
}

// length is about how many operations the stream has.
func (c Config) length(permanent, transient float64) (ops float64, err error) {
	churned := min(transient*c.PermanentChurn/(1-c.PermanentChurn), 4*(permanent+transient))
	ops = (permanent + 2*transient + 2*churned) * (1 + c.reads())
	if ops > min(mostOps, math.MaxInt/opBytes) {
		return ops, fmt.Errorf("the stream would have about %.3g operations of %d bytes; lower the target or the options Ratio, Lookups, Updates and Scans", ops, opBytes)
	}
	return ops, nil
}
