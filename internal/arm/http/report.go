package httparm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Report adds what belongs to the whole unit: how often which status and which
// error came, the histogram of latencies, its percentiles, and how busy the
// generator was.
func (s *session) Report(cell *record.Cell) error {
	response, service := s.generator.Latencies()
	if err := addLatencies(cell, response, service); err != nil {
		return fmt.Errorf("%s: %w", s.spec.label(), err)
	}
	busy := math.NaN()
	if s.usedIsKnown && s.elapsed > 0 {
		busy = float64(s.used) / float64(s.elapsed) / float64(s.generator.Processors())
	}
	setExtra(cell, ClientBusy, busy)
	for status, count := range s.tally.Statuses {
		addCount(cell, "status "+strconv.Itoa(status), count)
	}
	for label, count := range s.tally.Errors {
		addCount(cell, "error "+label, count)
	}
	if s.retries > 0 {
		addCount(cell, "retries", s.retries)
	}
	if len(cell.CPU) != len(cell.Wall) {
		cell.CPU = nil // the server's processes could not be read at every visit
		s.server.find()
	}
	s.tally = load.Tally{}
	s.retries, s.used, s.elapsed, s.usedIsKnown, s.anythingDone = 0, 0, 0, false, false
	return nil
}

func addLatencies(cell *record.Cell, response, service *hdrhistogram.Histogram) error {
	addQuantiles(cell, "", response)
	if service != nil {
		addQuantiles(cell, servicePrefix, service)
	}
	if response.TotalCount() == 0 {
		return nil
	}
	text, err := response.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return fmt.Errorf("writing the latencies: %w", err)
	}
	cell.Latency = string(text)
	return nil
}

// addQuantiles reads quantiles; without a latency they are not known.
func addQuantiles(cell *record.Cell, prefix string, h *hdrhistogram.Histogram) {
	for _, q := range quantiles {
		value := math.NaN()
		if h.TotalCount() > 0 {
			value = float64(h.ValueAtQuantile(q.percent))
		}
		setExtra(cell, prefix+q.name, value)
	}
}

func setExtra(cell *record.Cell, name string, value float64) {
	if cell.Extra == nil {
		cell.Extra = map[string]record.Values{}
	}
	cell.Extra[name] = record.Values{value}
}

func addCount(cell *record.Cell, name string, count int64) {
	if cell.Counts == nil {
		cell.Counts = map[string]int64{}
	}
	cell.Counts[name] += count
}

// BusyLimit is the share from which the generator may have been what was
// measured.
const BusyLimit = 0.9

// Bottleneck returns the largest share of its processors' time that the
// generator used in any of the cells: above [BusyLimit] the servers may be faster
// than it could ask. It is NaN where that is not known.
func Bottleneck(cells ...record.Cell) float64 {
	largest := math.NaN()
	for _, cell := range cells {
		for _, share := range cell.Extra[ClientBusy] {
			if math.IsNaN(largest) || share > largest {
				largest = share
			}
		}
	}
	return largest
}
