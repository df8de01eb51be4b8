package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	histogramDigits = 3
	histogramTop    = int64(time.Minute)
)

// newHistogram makes an empty histogram of nanoseconds with three significant
// digits. Its unit is one nanosecond: with a unit of a microsecond the answers
// of a near server would have less than two digits.
func newHistogram(top int64) *hdrhistogram.Histogram {
	return hdrhistogram.New(1, max(top, histogramTop), histogramDigits)
}

// recorder is a histogram that grows upwards where a latency needs it.
type recorder struct{ histogram *hdrhistogram.Histogram }

func (r *recorder) record(latency time.Duration) {
	if r.histogram == nil {
		r.histogram = newHistogram(histogramTop)
	}
	value := max(1, int64(latency))
	if r.histogram.RecordValue(value) == nil {
		return
	}
	wider := newHistogram(2 * value)
	wider.Merge(r.histogram)
	r.histogram = wider
	_ = r.histogram.RecordValue(value) // it was made to hold the value
}

// take moves what was recorded into another recorder.
func (r *recorder) moveInto(into *recorder) {
	if r.histogram == nil || r.histogram.TotalCount() == 0 {
		return
	}
	if into.histogram == nil {
		into.histogram = newHistogram(r.histogram.HighestTrackableValue())
	}
	if into.histogram.HighestTrackableValue() < r.histogram.HighestTrackableValue() {
		wider := newHistogram(r.histogram.HighestTrackableValue())
		wider.Merge(into.histogram)
		into.histogram = wider
	}
	into.histogram.Merge(r.histogram)
	r.histogram.Reset()
}
