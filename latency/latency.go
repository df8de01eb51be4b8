// Package latency records how long single operations of a benchmark take, so
// that the slow ones can be compared and not only the mean.
//
// A benchmark's time per operation hides its tail: one operation in a hundred
// may take ten times as long. A Recorder counts durations in buckets that grow
// with the duration, so that it takes a few nanoseconds per operation, a fixed
// 15 KiB of memory, and is right within 1.6 %.
//
//	func BenchmarkGet(b *testing.B) {
//		var tail latency.Recorder
//		for b.Loop() {
//			start := time.Now()
//			get()
//			tail.Record(time.Since(start))
//		}
//		tail.Report(b)
//	}
//
// The package needs the standard library only, and works with every version of
// Go that has generics.
package latency

import (
	"math"
	"math/bits"
	"time"
)

const (
	// subBuckets divide every power of two, so that a bucket is 1/32 wide at
	// most and its middle is within 1/64 of every value in it.
	subBits    = 5
	subBuckets = 1 << subBits
	octaves    = 64 - subBits
)

// Recorder counts durations. The zero value is empty and ready for use. It is
// for one goroutine: in parallel benchmarks each goroutine has its own, and
// Merge adds them up.
type Recorder struct {
	counts [(octaves + 1) * subBuckets]uint64
	total  uint64
	max    uint64
}

// Record counts one duration. A negative one counts as zero.
func (r *Recorder) Record(d time.Duration) {
	v := uint64(max(0, d))
	r.counts[bucketOf(v)]++
	r.total++
	r.max = max(r.max, v)
}

// bucketOf is the index of the bucket that holds v. Values below 32 have buckets
// of their own.
func bucketOf(v uint64) int {
	if v < subBuckets {
		return int(v)
	}
	octave := bits.Len64(v) - subBits - 1
	return (octave+1)*subBuckets + int(v>>octave) - subBuckets
}

// middleOf is the value that stands for all in a bucket: its middle.
func middleOf(bucket int) float64 {
	if bucket < subBuckets {
		return float64(bucket)
	}
	octave := bucket/subBuckets - 1
	low := math.Ldexp(float64(subBuckets+bucket%subBuckets), octave)
	return low + (math.Ldexp(1, octave)-1)/2
}

// Count is the number of durations recorded.
func (r *Recorder) Count() uint64 { return r.total }

// Max is the longest duration, exactly; 0 where there is none.
func (r *Recorder) Max() time.Duration { return time.Duration(r.max) }

// Quantile is the duration that a share of all durations does not exceed: 0.5
// is the median, 0.99 what one in a hundred exceeds. It is within 1.6 % of the
// true one, never above Max, and 0 where nothing was recorded. A share outside
// of [0, 1] is taken for the nearer end.
func (r *Recorder) Quantile(share float64) time.Duration {
	if r.total == 0 {
		return 0
	}
	rank := uint64(math.Ceil(min(1, max(0, share)) * float64(r.total)))
	rank = min(r.total, max(1, rank))
	if rank == r.total {
		return time.Duration(r.max)
	}
	seen := uint64(0)
	for bucket, count := range r.counts {
		if seen += count; seen >= rank {
			return time.Duration(min(float64(r.max), middleOf(bucket)))
		}
	}
	return time.Duration(r.max)
}

// Merge adds what another recorder counted.
func (r *Recorder) Merge(other *Recorder) {
	for bucket, count := range other.counts {
		r.counts[bucket] += count
	}
	r.total += other.total
	r.max = max(r.max, other.max)
}

// Reset forgets everything.
func (r *Recorder) Reset() { *r = Recorder{} }

// Reporter is what *testing.B has of use here.
type Reporter interface {
	ReportMetric(value float64, unit string)
}

// Report reports p50-ns, p90-ns, p99-ns, p99.9-ns and max-ns as metrics of a
// benchmark, in nanoseconds. A quantile that fewer than ten operations lie
// beyond is left out: it would be chance.
func (r *Recorder) Report(b Reporter) {
	if r.total == 0 {
		return
	}
	for _, q := range quantiles {
		if float64(r.total)*(1-q.share) >= fewestBeyond {
			b.ReportMetric(float64(r.Quantile(q.share)), q.unit)
		}
	}
	b.ReportMetric(float64(r.max), "max-ns")
}

const fewestBeyond = 10

var quantiles = [...]struct {
	share float64
	unit  string
}{{0.5, "p50-ns"}, {0.9, "p90-ns"}, {0.99, "p99-ns"}, {0.999, "p99.9-ns"}}
