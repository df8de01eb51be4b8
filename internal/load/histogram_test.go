package load

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// countBelow is how many values of a histogram lie below a bound.
func countBelow(h *hdrhistogram.Histogram, bound int64) (count int64) {
	for _, bar := range h.Distribution() {
		if bar.To < bound {
			count += bar.Count
		}
	}
	return count
}

func TestRecorderKeepsThreeDigits(t *testing.T) {
	var r recorder
	values := []time.Duration{1, 999, time.Microsecond, 123456, time.Second, time.Minute, time.Hour, 100 * time.Hour}
	for i, v := range values {
		r.record(v)
		if got := r.histogram.Max(); math.Abs(float64(got)-float64(v)) > float64(v)/1000 {
			t.Errorf("recorded %d, read %d", v, got)
		}
		if count := r.histogram.TotalCount(); count != int64(i+1) {
			t.Errorf("%d values after %d", count, i+1)
		}
	}
	var other recorder
	other.record(5)
	r.moveInto(&other)
	if r.histogram.TotalCount() != 0 || other.histogram.TotalCount() != int64(len(values)+1) {
		t.Errorf("%d values left, %d moved, want 0 and %d", r.histogram.TotalCount(), other.histogram.TotalCount(), len(values)+1)
	}
	if got := other.histogram.Max(); got < int64(99*time.Hour) {
		t.Errorf("the largest value became %v", time.Duration(got))
	}
	r.record(-1) // a clock that stood still
	if r.histogram.Min() != 1 {
		t.Errorf("a latency below zero was recorded as %d", r.histogram.Min())
	}
}

// Of 5000 latencies every 50th is 50 ms: the percentiles are known exactly.
func TestRecorderPercentiles(t *testing.T) {
	var r recorder
	for i := range 5000 {
		latency := 300*time.Microsecond + time.Duration(i%100)*time.Nanosecond
		if i%50 == 49 {
			latency = 50 * time.Millisecond
		}
		r.record(latency)
	}
	for percent, want := range map[float64]time.Duration{50: 300 * time.Microsecond, 95: 300 * time.Microsecond, 99: 50 * time.Millisecond} {
		got := time.Duration(r.histogram.ValueAtQuantile(percent))
		if math.Abs(float64(got-want)) > float64(want)/500 {
			t.Errorf("p%v is %v, want %v", percent, got, want)
		}
	}
}

// Every 50th answer comes 50 ms late, so p50, p95 and p99 are known: what the
// server itself took, and 50 ms. The server's own times are the truth, so that a
// busy machine does not fail the test; what the way there and back adds is
// compared with the median's share of it.
func TestPercentilesOfADelayingServer(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		const delay = 50 * time.Millisecond
		var asked atomic.Int64
		var mu sync.Mutex
		var truth []time.Duration
		server := newCountingServer(t, func(http.ResponseWriter, *http.Request) {
			start := time.Now()
			if asked.Add(1)%50 == 0 {
				time.Sleep(delay)
			}
			mu.Lock()
			defer mu.Unlock()
			truth = append(truth, time.Since(start))
		})
		options.Concurrency, options.Whole = 4, true
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		mustRun(t, g, 0, 3000)
		mu.Lock()
		defer mu.Unlock()
		slices.SortFunc(truth, cmp.Compare[time.Duration])
		latencies, _ := g.Latencies()
		if late := latencies.TotalCount() - countBelow(latencies, int64(delay)); late < 60 {
			t.Errorf("%d answers took 50 ms, want 60", late)
		}
		if p95 := latencies.ValueAtQuantile(95); p95 >= int64(delay) {
			t.Errorf("p95 is %v: the slow answers are 2 %%", time.Duration(p95))
		}
		want := truth[len(truth)*99/100]
		got := time.Duration(latencies.ValueAtQuantile(99))
		// Scheduling under load adds to what the server saw, never takes away.
		if got < want*98/100 || float64(got) > 1.02*float64(want)+float64(20*time.Millisecond) {
			t.Errorf("p99 is %v, the server took %v", got, want)
		}
	})
}
