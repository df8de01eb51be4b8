package rtcompare

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// observation is one observed difference: of a report, or the mean of those of
// one layout or machine.
type observation struct {
	// logRatio is ln(B/A), logError the standard error that the report's own
	// interval implies for it; NaN where the interval has no bounds.
	logRatio, logError float64
	// share and shareError are the same on the scale of Delta.
	share, shareError float64
}

// observe reads the reports' differences.
func observe(reports []Report) ([]observation, error) {
	seen := make([]observation, len(reports))
	for i, r := range reports {
		o, err := observeOne(r)
		if err != nil {
			return nil, fmt.Errorf("report %d: %w", i, err)
		}
		seen[i] = o
	}
	return seen, nil
}

func observeOne(r Report) (observation, error) {
	delta, low, high, own := r.headline()
	if !(own > 0 && own < 1) {
		own = DefaultConfidenceLevel
	}
	width := 2 * stat.NormalQuantile((1+own)/2)
	o := observation{logRatio: r.Decision.LogRatio, share: delta, shareError: (high - low) / width}
	if r.Decision.Verdict != NotJudged {
		// Bounds may be missing, after a budget that was too short: the
		// difference counts all the same, only its own error is unknown.
		if math.IsNaN(o.logRatio) || math.IsInf(o.logRatio, 0) {
			return o, fmt.Errorf("its ln(B/A) of %v is not finite", o.logRatio)
		}
		o.logError = (r.Decision.High - r.Decision.Low) / width
		if math.IsInf(o.shareError, 0) || math.IsInf(o.logError, 0) {
			o.logError, o.shareError = math.NaN(), math.NaN()
		}
		return o, nil
	}
	for _, v := range []float64{delta, low, high} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return o, fmt.Errorf("the difference %v [%v, %v] is not finite", delta, low, high)
		}
	}
	if delta >= 1 {
		return o, fmt.Errorf("the difference %v has to be below 1: A cannot save all of B's time", delta)
	}
	o.logRatio, o.logError = -math.Log1p(-delta), o.shareError/(1-delta)
	return o, nil
}

// unitsOf averages the observations of each layout or machine. The means
// are not weighted: a unit's own scatter says little about how far it is from
// the others.
func unitsOf(reports []Report, seen []observation, unit Unit) []observation {
	switch unit {
	case UnitLayout:
		return means(groups(reports, seen, layoutOf))
	case UnitMachine:
		return means(groups(reports, seen, machineOf))
	}
	return seen
}

// groups collects the observations that share a key, in order of first
// appearance.
func groups[K comparable](reports []Report, seen []observation, of func(*Report) K) [][]observation {
	var all [][]observation
	for _, key := range distinct(reports, of) {
		var members []observation
		for i := range reports {
			if of(&reports[i]) == key {
				members = append(members, seen[i])
			}
		}
		all = append(all, members)
	}
	return all
}

func means(groups [][]observation) []observation {
	all := make([]observation, len(groups))
	for i, members := range groups {
		if len(members) == 1 {
			all[i] = members[0]
			continue
		}
		logs, shares := columns(members)
		root := math.Sqrt(float64(len(members)))
		mean, deviation := stat.MeanAndSD(logs)
		_, shareDeviation := stat.MeanAndSD(shares)
		all[i] = observation{logRatio: mean, logError: deviation / root, share: savedShare(mean), shareError: shareDeviation / root}
	}
	return all
}

func columns(members []observation) (logs, shares []float64) {
	for _, o := range members {
		logs, shares = append(logs, o.logRatio), append(shares, o.share)
	}
	return logs, shares
}
