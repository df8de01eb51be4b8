package clock

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Reading says how well a clock can be read. The zero value means that nothing
// is known.
type Reading struct {
	// Tick is the step in which the clock advances, at least 1 ns. It is 0 if
	// the clock did not move at all while it was watched.
	Tick time.Duration
	// ReadCost is what one read takes, rounded to a nanosecond.
	ReadCost time.Duration
	// SmallestGap is the smallest positive difference between two consecutive
	// reads: no less than a tick, and no less than about a read. 0 if there
	// was none.
	SmallestGap time.Duration
	// Gaps is the number of positive gaps that Tick was found from. Few of
	// them mean a clock so coarse that Tick is only an estimate.
	Gaps int
}

const (
	fewestReads = 64
	chunkReads  = 64

	// Precision doubles the number of reads from firstReads on until it has
	// seen enoughGaps or spent mostReads. The first rounds also let the
	// processor leave its idle state.
	firstReads = 1 << 12
	mostReads  = 1 << 20
	enoughGaps = 10_000

	// A chunk shorter than this many ticks cannot be timed by itself.
	chunkTicks = 10
)

// Measure watches a clock for about the given number of reads, at least 64, and
// says how well it can be read. It has no other input than now, so that a
// scripted clock gives a fixed answer. It needs 4 bytes of memory per read.
func Measure(now func() time.Duration, reads int) Reading {
	half := max(reads, fewestReads) / 2
	chunks, total, count := timeChunks(now, half)
	gaps := takeGaps(now, half)

	var r Reading
	r.Tick, r.Gaps = latticeStep(gaps)
	if r.Gaps > 0 {
		first, _ := slices.BinarySearch(gaps, 1)
		r.SmallestGap = gaps[first]
	}
	r.ReadCost = readCost(chunks, total, count, r.Tick)
	return r
}

// Precision measures the clock behind Now, once per process. The first call
// takes a few milliseconds, or up to a tenth of a second where the clock is
// coarse; later calls return the same Reading.
func Precision() Reading { return precision() }

// precision is kept because it is a property of the machine, not of a run.
var precision = sync.OnceValue(func() Reading { return measureUntil(Now, enoughGaps, mostReads) })

// measureUntil repeats Measure with twice as many reads until it rests on
// enough gaps. The bound is in reads, not in time: the clock under test may be
// too coarse to tell the time.
func measureUntil(now func() time.Duration, enough, most int) Reading {
	for reads := firstReads; ; reads *= 2 {
		r := Measure(now, min(reads, most))
		if r.Gaps >= enough || reads >= most {
			return r
		}
	}
}

// takeGaps returns the gaps between consecutive reads. A little work of varying
// length lies between them. Without it all gaps of a quiet machine have the same
// one or two lengths, and no lattice shows.
func takeGaps(now func() time.Duration, n int) []time.Duration {
	gaps := make([]time.Duration, n)
	spin := uint64(1)
	previous := now()
	for i := range gaps {
		spin = spin*6364136223846793005 + 1442695040888963407
		for range spin >> 58 {
			spin++
		}
		t := now()
		gaps[i] = t - previous
		previous = t
	}
	return gaps
}

// timeChunks reads the clock n times back to back, in chunks, and returns how
// long each chunk took, all of them together, and the number of reads in a
// chunk.
func timeChunks(now func() time.Duration, n int) (chunks []time.Duration, total time.Duration, count int) {
	count = min(chunkReads, n)
	chunks = make([]time.Duration, n/count)
	for i := range chunks {
		start := now()
		for range count - 1 {
			_ = now()
		}
		chunks[i] = now() - start
		total += chunks[i]
	}
	return chunks, total, count
}

// readCost is the median over the chunks, which no preemption moves. Where a
// chunk lasts only a few ticks the median is as coarse as they are, and the
// mean over all chunks is the better answer.
func readCost(chunks []time.Duration, total time.Duration, count int, tick time.Duration) time.Duration {
	slices.Sort(chunks)
	typical := float64(chunks[len(chunks)/2])
	if chunks[len(chunks)/2] < chunkTicks*tick {
		typical = float64(total) / float64(len(chunks))
	}
	return time.Duration(math.Round(max(typical, 0) / float64(count)))
}
