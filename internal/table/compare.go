package table

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Scale is what the numbers of a comparison mean.
type Scale string

const (
	// Ratios are natural logarithms of new / base: swapping the sides mirrors
	// them. They need values above zero.
	Ratios Scale = "ratio"
	// Amounts are differences new - base in the unit, where some value is not
	// above zero.
	Amounts Scale = "amount"
)

// Comparison is what two series say about each other. All statistics treat the
// values as independent repetitions; the inputs do not show how far they are.
type Comparison struct {
	// RunsBase and RunsNew are the numbers of values.
	RunsBase, RunsNew int
	// Base and New are medians, in the unit.
	Base, New float64
	// Exact is set for a unit that counts things and that never varied within a
	// side: the numbers are then compared as they are, and have no p-value.
	Exact bool
	// Scale says what Estimate, Low, High and Bound are.
	Scale Scale
	// Estimate is the shift of Hodges and Lehmann (1963), the median of all
	// differences of a new and a base value.
	Estimate float64
	// Low and High bound it at Level. They are infinite where there are too few
	// runs for the level; NeededRuns then says how many per side would do.
	Low, High, Level float64
	NeededRuns       int
	// P is the p-value of no difference at all (exact Mann and Whitney 1947, ties
	// counted for no difference), Q the same adjusted for all rows. Both are NaN
	// for exact values.
	P, Q float64
	// BeyondP is the p-value of a difference of at most the margin, BeyondQ the
	// adjusted one.
	BeyondP, BeyondQ float64
	// WorseP is the one-sided p-value of not being worse by more than the margin,
	// WorseQ the adjusted one. They are NaN where no direction is known. A gate
	// that fails on any WorseQ up to its error rate is at most so often wrong
	// about runs in which nothing got worse.
	WorseP, WorseQ float64
	// Differs, Beyond and Worse say which of the three stood the test. For exact
	// values they follow from the numbers.
	Differs, Beyond, Worse bool
	// Equivalent is set where the difference lies within the margin with the
	// confidence asked for. It is said of each row on its own.
	Equivalent bool
	// Better is +1 where the estimate is in the good direction of the unit, -1
	// where it is in the bad one, and 0 where it is zero or nobody said.
	Better int

	base, new []float64
	shift     stat.Shift
	bound     float64 // the margin on the scale; 0 for amounts
	unit      Unit
}

// Change returns new / base - 1, from the estimate for ratios. It is NaN where
// the base is zero: there is no number for a change from nothing, only the
// amount.
func (c *Comparison) Change() float64 {
	switch {
	case c.Scale == Ratios:
		return math.Expm1(c.Estimate)
	case c.Base == 0:
		return math.NaN()
	}
	return c.Estimate / math.Abs(c.Base)
}

// FromZero reports whether something appeared where there was nothing, such as
// the first allocation.
func (c *Comparison) FromZero() bool { return c.Base == 0 && c.New != 0 }

// SmallestVisible is the smallest difference that this many runs with this
// scatter could have shown, on the scale: half of the interval's width. It is 0
// for exact values.
func (c *Comparison) SmallestVisible() float64 { return (c.High - c.Low) / 2 }

// Interval returns the bounds of the estimate at another level.
func (c *Comparison) Interval(level float64) (low, high float64) {
	if c.Exact {
		return c.Estimate, c.Estimate
	}
	return c.shift.Interval(level)
}

// Spread compares how much the sides scatter, see [stat.SpreadRatio].
func (c *Comparison) Spread(level float64) (ratio, low, high float64) {
	return stat.SpreadRatio(c.base, c.new, level)
}

// Welch returns Welch's t test of the means, in the unit. It is there for who
// compares with older programs; no verdict uses it.
func (c *Comparison) Welch() (t, df, p float64) { return stat.Welch(c.base, c.new) }

// laws keeps the laws of the rank test, which depend on the numbers of runs only.
type laws map[[2]int]stat.RankSumLaw

func (l laws) of(n, m int) stat.RankSumLaw {
	key := [2]int{min(n, m), max(n, m)}
	law, ok := l[key]
	if !ok {
		law = stat.NewRankSumLaw(n, m)
		l[key] = law
	}
	return law
}

// Compare compares two series of a unit. margin is the largest share that does
// not matter, such as 0.01. Level and everything adjusted are left to
// [Set.Judge]. It returns nil unless both sides have values.
func Compare(base, new []float64, unit Unit, margin float64) *Comparison {
	return compare(base, new, unit, margin, laws{})
}

func compare(base, new []float64, unit Unit, margin float64, known laws) *Comparison {
	if len(base) == 0 || len(new) == 0 {
		return nil
	}
	c := &Comparison{RunsBase: len(base), RunsNew: len(new), base: base, new: new, unit: unit, Scale: Amounts,
		P: math.NaN(), Q: math.NaN(), BeyondP: math.NaN(), BeyondQ: math.NaN(), WorseP: math.NaN(), WorseQ: math.NaN()}
	if positive(base) && positive(new) {
		c.Scale, c.bound = Ratios, math.Log1p(margin)
	}
	if countsExactly(unit) && constant(base) && constant(new) {
		c.compareExactly()
		return c
	}
	x, y := slices.Clone(base), slices.Clone(new)
	slices.Sort(x)
	slices.Sort(y)
	c.Base, c.New = stat.MedianSorted(x), stat.MedianSorted(y)
	if c.Scale == Ratios {
		takeLogarithms(x)
		takeLogarithms(y)
	}
	c.shift = stat.NewShiftSorted(x, y, known.of(len(x), len(y)))
	c.Estimate = c.shift.Estimate()
	c.P = c.shift.TwoSidedP(0)
	c.BeyondP = c.shift.BeyondP(c.bound)
	switch unit.Better {
	case -1:
		c.WorseP = c.shift.AboveP(c.bound)
	case +1:
		c.WorseP = c.shift.BelowP(-c.bound)
	}
	c.setDirection()
	return c
}

// compareExactly compares two numbers that never varied.
func (c *Comparison) compareExactly() {
	c.Exact, c.Level = true, 1
	c.Base, c.New = c.base[0], c.new[0]
	c.Estimate = c.New - c.Base
	if c.Scale == Ratios {
		c.Estimate = math.Log(c.New) - math.Log(c.Base)
	}
	c.Low, c.High = c.Estimate, c.Estimate
	c.setDirection()
	c.Differs = c.Base != c.New
	c.Beyond = c.Differs && math.Abs(c.Estimate) > c.bound
	c.Worse = c.Beyond && c.Better < 0
	c.Equivalent = !c.Beyond
}

func (c *Comparison) setDirection() {
	switch {
	case c.Estimate > 0:
		c.Better = c.unit.Better
	case c.Estimate < 0:
		c.Better = -c.unit.Better
	}
}

func positive(values []float64) bool {
	for _, v := range values {
		if !(v > 0) {
			return false
		}
	}
	return true
}

func takeLogarithms(values []float64) {
	for i, v := range values {
		values[i] = math.Log(v)
	}
}
