package machine

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// BelowTheTick measures differences of an operation that no single reading of
// the clock could show.
func BelowTheTick(s Setup) (*sheet.Sheet, error) {
	tick := rtcompare.GetSampleTimePrecision()
	table := &sheet.Sheet{
		Title:   "published: differences of nanoseconds per operation are recovered, real runs (theirs: 1.89 ns/op to within 0.07 points, clock of 41 ns)",
		Trials:  s.Runs,
		Columns: []string{"steps A / B", "ns/op apart", "clock step", "true B/A", "measured B/A", "largest error, points", "median error, points"},
		Notes:   []string{"chains of dependent arithmetic, so that the true ratio is that of the numbers of steps."},
	}
	for _, steps := range [][2]int{{20, 21}, {20, 24}, {1, 2}} {
		truth := float64(steps[1]) / float64(steps[0])
		var errors, ratios, apart []float64
		for i := range s.Runs {
			batches := arithmetic(nil)
			a, b := rtcompare.Candidate{Batch: batches(steps[0])}, rtcompare.Candidate{Batch: batches(steps[1])}
			r, err := s.compare("chains of arithmetic", a, b, rtcompare.CompareOptions{ValidationRuns: 2, SkipChecks: true})
			if err != nil {
				return nil, err
			}
			// Their points are those of Delta, the share of B's time that A saves.
			delta, _, _ := r.Decision.Delta()
			errors = append(errors, math.Abs(delta-(1-1/truth)))
			ratios = append(ratios, math.Exp(r.Decision.LogRatio))
			apart = append(apart, r.NsPerOpB-r.NsPerOpA)
			s.progress("below the clock's step", i+1, s.Runs)
		}
		largest := sheet.Worst(errors, false)
		table.Add(fmt.Sprintf("%d / %d", steps[0], steps[1]), fmt.Sprintf("%.2f", stat.Median(apart)), fmt.Sprintf("%d ns", tick),
			fmt.Sprintf("%.4f", truth), fmt.Sprintf("%.4f", stat.Median(ratios)), fmt.Sprintf("%.3f", 100*largest), fmt.Sprintf("%.3f", 100*stat.Median(errors)))
	}
	return table, nil
}
