package render

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// latencyQuantiles are the quantiles of all requests that are shown.
var latencyQuantiles = []float64{0.5, 0.9, 0.95, 0.99, 0.999, 1}

// mergeLatency adds up the histograms of an arm's main units. It is nil where
// there are none; a histogram that cannot be read is an error.
func mergeLatency(units []record.Unit, arm int) (*hdrhistogram.Histogram, error) {
	var parts []*hdrhistogram.Histogram
	longest := int64(1)
	for _, unit := range record.Select(units, record.Main) {
		for i := range unit.Cells {
			cell := &unit.Cells[i]
			if cell.Arm != arm || cell.Latency == "" {
				continue
			}
			part, err := hdrhistogram.Decode([]byte(cell.Latency))
			if err != nil {
				return nil, fmt.Errorf("unit %d, candidate %s: reading its latencies: %w", unit.Index, view.Letter(arm), err)
			}
			parts = append(parts, part)
			longest = max(longest, part.Max())
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	// Three digits are what the histograms are recorded with.
	sum := hdrhistogram.New(1, max(2, longest), 3)
	for _, part := range parts {
		sum.Merge(part)
	}
	return sum, nil
}

func quantiles(h *hdrhistogram.Histogram) []view.Quantile {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	found := make([]view.Quantile, len(latencyQuantiles))
	for i, at := range latencyQuantiles {
		found[i] = view.Quantile{At: at, Value: float64(h.ValueAtPercentile(100 * at))}
	}
	return found
}
