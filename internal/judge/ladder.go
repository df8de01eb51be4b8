package judge

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Rung is one length of the units of a ladder.
type Rung struct {
	// Units is how many measured units in a row make one of this rung's.
	Units int
	// Correlation is how many of this rung's units in a row are assumed to
	// resemble each other: the interval is wider by its root.
	Correlation float64
}

// Ladder is the rule for runs whose units cannot be made long against the noise
// of the machine before the run has an answer, such as those of commands that
// take a second. It judges the same units at several lengths at once, each at
// its share of the error rate, so that together they are wrong no more often
// than one. The short ones are not trusted to be independent and see large
// differences soon; the long ones see small ones.
//
// The lengths and assumed correlations were chosen by simulation (rtcompare-lab
// stopping): on noise with a correlation of up to 0.8 from unit to unit, slow
// waves and changing levels, nominal 1 % stays below 1 % over 1,000 units. That
// holds where the two instances of an arm have noise of their own, as two starts
// of a command do. Noise slower than that is not covered.
func Ladder() []Rung { return []Rung{{1, 6}, {4, 3}, {24, 1}} }

// SharedLadder is the ladder for arms whose two instances share their noise,
// such as two sets of connections to one server: comparing them with each other
// then shows less than the arm's own wander. Without any help from them nominal
// 1 % stays at 1 % in the same simulations.
func SharedLadder() []Rung { return []Rung{{1, 9}, {4, 5}, {24, 2}} }

// ladderPart is what one rung says.
type ladderPart struct {
	evidence evidence
	parts    []part
	rung     Rung
}

// climb gathers the evidence of every rung of the policy's ladder.
func climb(units []record.Unit, p Policy) []ladderPart {
	climbed := make([]ladderPart, len(p.Ladder))
	for i, rung := range p.Ladder {
		e := gather(joined(units, p, rung.Units), p)
		climbed[i] = ladderPart{evidence: e, rung: rung}
		if len(e.units) >= FirstLook && e.finite {
			climbed[i].parts = widened(unitParts(e, p), math.Sqrt(max(1, rung.Correlation)))
		}
	}
	return climbed
}

// widened makes the statistical parts wider by a factor. What a clock or a bias
// can do does not depend on correlation.
func widened(parts []part, factor float64) []part {
	if factor == 1 {
		return parts
	}
	wide := make([]part, len(parts))
	for i, p := range parts {
		wide[i] = p
		if p.quantile == nil {
			continue
		}
		bounds := p.bounds
		wide[i].bounds = func(alpha float64) (low, high float64) {
			low, high = bounds(alpha)
			middle, half := (low+high)/2, (high-low)/2
			if math.IsInf(half, 1) || math.IsNaN(middle) {
				return low, high
			}
			return middle - factor*half, middle + factor*half
		}
	}
	return wide
}

// intersection is the interval that all rungs agree on, each at its share of
// alpha. Rungs that contradict each other, which happens with probability alpha
// at most, leave what lies between them.
func intersection(climbed []ladderPart) Interval {
	return func(alpha float64) (low, high float64) {
		low, high = math.Inf(-1), math.Inf(1)
		share := alpha / float64(len(climbed))
		for _, c := range climbed {
			if c.parts == nil {
				continue
			}
			l, h := hull(c.parts)(share)
			low, high = max(low, l), min(high, h)
		}
		return min(low, high), max(low, high)
	}
}

// judgeLadder sets the estimate, the interval and what follows from it.
func judgeLadder(j *record.Judgement, units []record.Unit, e evidence, p Policy) {
	climbed := climb(units, p)
	interval := intersection(climbed)
	j.Low, j.High = interval(p.ErrorRate)
	j.EquivalenceLow, j.EquivalenceHigh = interval(min(1, 2*p.ErrorRate))
	j.PValue = pValue(interval, 0)
	mean, _ := stat.MeanAndSD(e.units)
	j.LogRatio = mean
	share := p.ErrorRate / float64(len(climbed))
	narrowest := math.Inf(1)
	for _, c := range climbed {
		if c.parts == nil {
			continue
		}
		j.SmallestVisible = min(j.SmallestVisible, smallestVisible(c.parts, share))
		if l, h := hull(c.parts)(share); h-l < narrowest {
			narrowest = h - l
			j.LogRatio, _ = stat.MeanAndSD(c.evidence.units)
		}
	}
	// The estimate of one rung may lie where another one rules it out.
	j.LogRatio = max(j.Low, min(j.High, j.LogRatio))
}

// joined makes one unit of every count main units in a row. Units that are left
// over at the end, and all units of other purposes, are left out.
func joined(units []record.Unit, p Policy, count int) []record.Unit {
	var all []record.Unit
	var current record.Unit
	held := 0
	for i := range units {
		u := &units[i]
		if u.Purpose != record.Main || (p.Row != "" && u.Row != p.Row) {
			continue
		}
		if held == 0 {
			current = record.Unit{Row: u.Row, Purpose: u.Purpose, Index: u.Index}
		}
		joinUnit(&current, u)
		if held++; held == count {
			all, held = append(all, current), 0
		}
	}
	return all
}

func joinUnit(into, u *record.Unit) {
	if into.Cells == nil {
		into.Cells = make([]record.Cell, len(u.Cells))
		for i, cell := range u.Cells {
			into.Cells[i] = record.Cell{Arm: cell.Arm, Replica: cell.Replica, N: cell.N}
		}
	}
	into.Order += u.Order
	for i := range into.Cells {
		a := &into.Cells[i]
		b := u.Find(a.Arm, a.Replica)
		if b == nil {
			continue
		}
		a.Wall, a.CPU = append(a.Wall, b.Wall...), append(a.CPU, b.CPU...)
		for metric, values := range b.Extra {
			if a.Extra == nil {
				a.Extra = map[string]record.Values{}
			}
			a.Extra[metric] = append(a.Extra[metric], values...)
		}
	}
}
