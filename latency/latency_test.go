package latency

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsAreContiguousAndNarrow(t *testing.T) {
	previous := -1
	for _, v := range []uint64{0, 1, 30, 31, 32, 33, 63, 64, 65, 127, 128, 1000, 1 << 20, 1<<20 + 1, math.MaxInt64} {
		b := bucketOf(v)
		if b < previous || b >= len(Recorder{}.counts) {
			t.Errorf("%d is in bucket %d after %d of %d", v, b, previous, len(Recorder{}.counts))
		}
		previous = b
		if v > 0 && math.Abs(middleOf(b)/float64(v)-1) > 1.0/64 {
			t.Errorf("%d is taken for %v", v, middleOf(b))
		}
	}
	for v := uint64(1); v < 100_000; v++ {
		if step := bucketOf(v) - bucketOf(v-1); step < 0 || step > 1 {
			t.Fatalf("bucket %d follows %d at %d", bucketOf(v), bucketOf(v-1), v)
		}
	}
}

// Quantiles are those of the sorted values, within the width of a bucket.
func TestQuantiles(t *testing.T) {
	coin := rand.New(rand.NewPCG(1, 2))
	var r Recorder
	var all []float64
	for range 20_000 {
		d := time.Duration(1000 * math.Exp(2*coin.NormFloat64()))
		r.Record(d)
		all = append(all, float64(d))
	}
	slices.Sort(all)
	for _, share := range []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
		want := all[max(1, int(math.Ceil(share*float64(len(all)))))-1]
		if got := float64(r.Quantile(share)); math.Abs(got-want) > 0.016*want+1 {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
	if float64(r.Max()) != all[len(all)-1] || r.Count() != uint64(len(all)) {
		t.Errorf("max %v of %d", r.Max(), r.Count())
	}
}

func TestEmptyNegativeAndExtreme(t *testing.T) {
	var r Recorder
	if r.Quantile(0.5) != 0 || r.Max() != 0 {
		t.Error("an empty recorder knows something")
	}
	r.Report(failing{t}) // reports nothing
	r.Record(-5)
	r.Record(math.MaxInt64)
	if r.Quantile(0.5) != 0 || r.Quantile(1) != math.MaxInt64 || r.Quantile(math.Inf(1)) != math.MaxInt64 {
		t.Errorf("quantiles %v %v", r.Quantile(0.5), r.Quantile(1))
	}
	r.Reset()
	if r.Count() != 0 {
		t.Error("reset left something")
	}
}

type failing struct{ t *testing.T }

func (f failing) ReportMetric(value float64, unit string) { f.t.Errorf("reported %v %s", value, unit) }

type reported map[string]float64

func (r reported) ReportMetric(value float64, unit string) { r[unit] = value }

func TestMergeAndReport(t *testing.T) {
	var a, b, both Recorder
	for i := range 1200 {
		d := time.Duration(i)
		both.Record(d)
		if i%2 == 0 {
			a.Record(d)
		} else {
			b.Record(d)
		}
	}
	a.Merge(&b)
	if a != both {
		t.Error("merged recorders differ from one that saw everything")
	}
	got := reported{}
	a.Report(got)
	if len(got) != 4 || got["max-ns"] != 1199 || math.Abs(got["p99-ns"]-1188) > 20 {
		t.Errorf("reported %v; p99.9 rests on two operations and has to be left out", got)
	}
}

func TestRecordingAllocatesNothing(t *testing.T) {
	var r Recorder
	if n := testing.AllocsPerRun(100, func() { r.Record(12345) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRecord(b *testing.B) {
	var r Recorder
	for b.Loop() {
		r.Record(123456)
	}
}

func ExampleRecorder() {
	var tail Recorder
	for i := range 1000 {
		tail.Record(time.Duration(i+1) * time.Microsecond)
	}
	fmt.Println(tail.Count(), tail.Max())
	// Output: 1000 1ms
}
