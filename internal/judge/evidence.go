package judge

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// evidence is what the units hold about one pair of arms.
type evidence struct {
	// series holds the log ratios of each main unit's pairs, in measured order,
	// without the effect of position; effect is the largest that was removed.
	series [][]float64
	effect float64
	// units holds the median of each series.
	units []float64
	// identical holds the log ratios of identical code, one per arm and unit
	// that has two replicas: those of the base, and those of the arm.
	identicalBase, identicalArm []float64
	pairs, tied                 int
	// resolution is the log ratio that rounding and what surrounds a batch can
	// make in a batch of the faster arm.
	resolution float64
	finite     bool
}

// gather reads the evidence for a policy out of the units.
func gather(units []record.Unit, p Policy) evidence {
	e := evidence{finite: true}
	purpose := p.Purpose
	if purpose == "" {
		purpose = record.Main
	}
	shortest := math.Inf(1)
	for i := range units {
		u := &units[i]
		if p.Row != "" && u.Row != p.Row {
			continue
		}
		if u.Purpose == purpose {
			e.main(u, p, &shortest)
		}
	}
	for i := range units {
		u := &units[i]
		if p.Row != "" && u.Row != p.Row {
			continue
		}
		if u.Purpose == purpose || (purpose == record.Main && u.Purpose == record.AA) {
			e.identical(u, p, e.pairLimit())
		}
	}
	if nothing := ticksThatProveNothing*p.Tick + p.Overhead; nothing > 0 && shortest > 0 && !math.IsInf(shortest, 1) {
		e.resolution = math.Log1p(nothing / shortest)
	}
	for _, v := range e.units {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			e.finite = false
		}
	}
	return e
}

// main adds the log ratios of a unit's pairs, round by round, and notes ties and
// the median batch of the faster arm. A pair of long stretches is a unit by
// itself; short batches of both replicas are one unit together.
func (e *evidence) main(u *record.Unit, p Policy, shortest *float64) {
	var replicas []series
	for replica := 0; ; replica++ {
		base, arm := u.Find(p.Base, replica), u.Find(p.Arm, replica)
		if base == nil || arm == nil {
			break
		}
		ratios, tied := logRatios(base, arm, p.Metric)
		s := series{ratios, directionsOf(u, base, arm, len(ratios))}.known()
		e.tied += tied
		e.pairs += len(s.values)
		replicas = append(replicas, s)
		if !perOperation(p.Metric) {
			continue
		}
		for _, cell := range []*record.Cell{base, arm} {
			if batch := medianOf(values(cell, p.Metric)); batch < *shortest {
				*shortest = batch
			}
		}
	}
	if u.Purpose != record.Cost {
		replicas = []series{weave(replicas)}
	}
	for _, s := range replicas {
		if len(s.values) == 0 {
			continue
		}
		values, effect := s.recenter()
		if math.Abs(effect) > math.Abs(e.effect) {
			e.effect = effect
		}
		e.series = append(e.series, values)
		e.units = append(e.units, stat.Median(values))
	}
}

// pairLimit is how many pairs of a run of identical code are used: as many as a
// single series holds, because only then the two scatter alike. 0 is no limit.
func (e *evidence) pairLimit() int {
	if len(e.series) != 1 {
		return 0
	}
	return len(e.series[0])
}

func (e *evidence) identical(u *record.Unit, p Policy, limit int) {
	pair := func(arm int) (float64, bool) {
		first, second := u.Find(arm, 0), u.Find(arm, 1)
		if first == nil || second == nil {
			return 0, false
		}
		if min(len(values(first, p.Metric)), len(values(second, p.Metric))) == 0 {
			return 0, false
		}
		v := center(u, first, second, p.Metric, limit)
		return v, !math.IsNaN(v)
	}
	if v, ok := pair(p.Base); ok {
		e.identicalBase = append(e.identicalBase, v)
	}
	if v, ok := pair(p.Arm); ok {
		e.identicalArm = append(e.identicalArm, v)
	}
}

// values is a cell's series of a metric. An extra one may hold NaN for what
// could not be read.
func values(c *record.Cell, m Metric) []float64 {
	switch m {
	case CPU:
		return floats(c.CPU)
	case Wall, "":
		return floats(c.Wall)
	}
	return c.Extra[string(m)]
}

func floats(whole []int64) []float64 {
	x := make([]float64, len(whole))
	for i, v := range whole {
		x[i] = float64(v)
	}
	return x
}

// perOperation reports whether a metric's values grow with the number of
// operations: times do, a quantile or the size of a process does not.
func perOperation(m Metric) bool { return m == Wall || m == CPU || m == "" }

// logRatios returns ln(second / first) per pair and how many pairs are tied.
// The logarithms are subtracted, so that swapping the cells negates every value
// exactly. Two zeros are equal; one zero makes an infinite ratio. A pair of
// which one value could not be read gives NaN.
func logRatios(first, second *record.Cell, m Metric) (ratios []float64, tied int) {
	a, b := values(first, m), values(second, m)
	n := min(len(a), len(b))
	ratios = make([]float64, n)
	sizes := 0.0
	if perOperation(m) && first.N != second.N && first.N > 0 && second.N > 0 {
		sizes = math.Log(float64(second.N)) - math.Log(float64(first.N))
	}
	for i := range n {
		if a[i] == b[i] {
			if sizes == 0 {
				tied++
			}
			ratios[i] = -sizes
			continue
		}
		ratios[i] = math.Log(b[i]) - math.Log(a[i]) - sizes
	}
	return ratios, tied
}

// weave joins the replicas' series round by round, in the order of time.
func weave(replicas []series) series {
	var woven series
	for i := 0; ; i++ {
		found := false
		for _, r := range replicas {
			if i >= len(r.values) {
				continue
			}
			found = true
			woven.values = append(woven.values, r.values[i])
			if i < len(r.first) {
				woven.first = append(woven.first, r.first[i])
			}
		}
		if !found {
			return woven
		}
	}
}

func medianOf(x []float64) float64 {
	if len(x) == 0 {
		return math.Inf(1)
	}
	return stat.Median(x)
}

func sorted(x []float64) []float64 {
	ascending := slices.Clone(x)
	slices.Sort(ascending)
	return ascending
}
