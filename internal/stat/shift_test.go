package stat

import (
	"math"
	"slices"
	"testing"
)

func TestShiftMatchesReferenceMannWhitney(t *testing.T) {
	var vectors struct {
		Smallest map[string]float64 `json:"minimal_p_two_sided"`
		Cases    []struct {
			Name      string
			A, B      []float64
			PLess     float64 `json:"exact_p_less"`
			PGreater  float64 `json:"exact_p_greater"`
			PTwoSided float64 `json:"exact_p_two_sided_doubled"`
		}
	}
	loadVectors(t, "mannwhitney.json", &vectors)
	for _, c := range vectors.Cases {
		s := NewShift(c.A, c.B, NewRankSumLaw(len(c.A), len(c.B)))
		all := slices.Concat(c.A, c.B)
		slices.Sort(all)
		tied := len(slices.Compact(all)) < len(c.A)+len(c.B)
		// "less" is said of a: b lies above.
		for _, p := range [][2]float64{{s.AboveP(0), c.PLess}, {s.BelowP(0), c.PGreater}, {s.TwoSidedP(0), c.PTwoSided}} {
			if !tied && !nearRelative(p[0], p[1], 1e-9) {
				t.Errorf("%s: p = %v, want %v", c.Name, p[0], p[1])
			}
			if tied && p[0] < p[1]*(1-1e-9) {
				t.Errorf("%s: p = %v is below the exact %v though ties count for no difference", c.Name, p[0], p[1])
			}
		}
	}
	for n := 1; n <= 12; n++ {
		if want := 2 * NewRankSumLaw(n, n).AtMost(0); !nearRelative(SmallestRankSumP(n, n), min(1, want), 1e-12) {
			t.Errorf("smallest p of %d and %d: %v, want %v", n, n, SmallestRankSumP(n, n), want)
		}
	}
}

// Largest family of benchmarks in which one can be flagged at 5 %, by the number
// of runs.
func TestRunsNeededForAFamily(t *testing.T) {
	for n, family := range map[int]int{4: 1, 5: 6, 6: 23, 7: 85, 8: 321, 9: 1215, 10: 4618} {
		if got := RankSumRuns(0.05 / float64(family)); got != n {
			t.Errorf("a family of %d needs %d runs, want %d", family, got, n)
		}
		if got := RankSumRuns(0.05 / float64(family+1)); got != n+1 {
			t.Errorf("a family of %d needs %d runs, want %d", family+1, got, n+1)
		}
	}
}

func TestApproximateRankSumLaw(t *testing.T) {
	// The approximation is only used for more pairs than these, where it is better.
	for size, limit := range map[[2]int]float64{{100, 100}: 0.03, {50, 200}: 0.08, {20, 500}: 0.35} {
		exact := RankSumLaw{n: size[0], m: size[1], cumulative: exactRankSum(size[0], size[1])}
		approximate := RankSumLaw{n: size[0], m: size[1]}
		worst := 0.0
		previous := 0.0
		for u := range exact.cumulative {
			want, got := exact.AtMost(u), approximate.AtMost(u)
			if got < previous {
				t.Fatalf("%v: the law falls at %d", size, u)
			}
			previous = got
			if want > 1e-6 {
				worst = max(worst, math.Abs(got/want-1))
			}
		}
		if worst > limit {
			t.Errorf("%v: off by %.1f %% at most", size, 100*worst)
		}
	}
}

// slowDifferences lists all differences.
func slowDifferences(a, b []float64) []float64 {
	var d []float64
	for _, x := range a {
		for _, y := range b {
			d = append(d, y-x)
		}
	}
	slices.Sort(d)
	return d
}

func TestShiftSelectsAmongAllDifferences(t *testing.T) {
	r := random(7)
	for trial := range 300 {
		n, m := 1+r.IntN(40), 1+r.IntN(40)
		a, b := make([]float64, n), make([]float64, m)
		for _, x := range [][]float64{a, b} {
			for i := range x {
				x[i] = r.NormFloat64()
				if trial%3 == 0 {
					x[i] = math.Round(x[i]) // many ties
				}
			}
		}
		s, all := NewShift(a, b, NewRankSumLaw(n, m)), slowDifferences(a, b)
		for _, k := range []int{1, len(all)/3 + 1, len(all)/2 + 1, len(all)} {
			if got := s.difference(k); got != all[k-1] {
				t.Fatalf("difference %d of %d is %v, want %v", k, len(all), got, all[k-1])
			}
		}
		if got, want := s.Estimate(), MedianSorted(all); !nearRelative(got, want, 1e-15) {
			t.Fatalf("estimate %v, want %v", got, want)
		}
	}
}

// The interval excludes a bound exactly if its p-value is small enough, and
// swapping the series mirrors everything.
func TestShiftIntervalAgreesWithP(t *testing.T) {
	r := random(8)
	for trial := range 200 {
		a, b := lognormalSeries(r, 2+r.IntN(12)), lognormalSeries(r, 2+r.IntN(12))
		if trial%2 == 0 {
			for i := range b {
				b[i] = math.Round(b[i])
			}
			for i := range a {
				a[i] = math.Round(a[i])
			}
		}
		law := NewRankSumLaw(len(a), len(b))
		s, mirrored := NewShift(a, b, law), NewShift(b, a, law)
		for _, level := range []float64{0.5, 0.9, 0.95, 0.999} {
			lo, hi := s.Interval(level)
			mirroredLo, mirroredHi := mirrored.Interval(level)
			if lo != -mirroredHi || hi != -mirroredLo {
				t.Fatalf("[%v, %v] is no mirror of [%v, %v]", lo, hi, mirroredLo, mirroredHi)
			}
			for bound := -8.0; bound <= 8; bound += 0.5 {
				excluded := bound < lo || bound > hi
				if p := s.TwoSidedP(bound); excluded != (p <= 1-level) {
					t.Fatalf("level %v: [%v, %v] and p(%v) = %v disagree", level, lo, hi, bound, p)
				}
			}
		}
	}
}

// The error rate of the interval must hold: 20,000 comparisons of equal laws at
// 5 % give at most 5.6 % wrong ones (4 standard errors).
func TestShiftErrorRate(t *testing.T) {
	r := random(9)
	law := NewRankSumLaw(8, 10)
	wrong := 0
	const trials = 20000
	for range trials {
		if NewShift(lognormalSeries(r, 8), lognormalSeries(r, 10), law).TwoSidedP(0) <= 0.05 {
			wrong++
		}
	}
	if share := float64(wrong) / trials; share > 0.056 || share < 0.03 {
		t.Errorf("%.2f %% wrong", 100*share)
	}
}

func TestShiftExtremes(t *testing.T) {
	s := NewShift([]float64{-1e308, 0, 1e308}, []float64{1, 2, 3}, NewRankSumLaw(3, 3))
	if lo, hi := s.Interval(0.95); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("three values bound the shift by %v and %v", lo, hi)
	}
	if got := s.Estimate(); got != 2 {
		t.Errorf("estimate %v, want 2", got)
	}
	if empty := NewShift(nil, []float64{1}, NewRankSumLaw(0, 1)); !math.IsNaN(empty.Estimate()) || !math.IsNaN(empty.TwoSidedP(0)) {
		t.Errorf("no values give %v and p = %v", empty.Estimate(), empty.TwoSidedP(0))
	}
	equal := NewShift([]float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, NewRankSumLaw(4, 4))
	if equal.TwoSidedP(0) != 1 || equal.Estimate() != 0 {
		t.Errorf("equal values give %v, p = %v", equal.Estimate(), equal.TwoSidedP(0))
	}
}

func TestWelchMatchesReference(t *testing.T) {
	var vectors struct {
		Cases []struct {
			Name     string
			A, B     []float64
			T, DF, P *float64
		}
	}
	loadVectors(t, "welch.json", &vectors)
	for _, c := range vectors.Cases {
		gotT, df, p := Welch(c.A, c.B)
		if c.T == nil {
			if !math.IsNaN(gotT) {
				t.Errorf("%s: t = %v, want none", c.Name, gotT)
			}
			continue
		}
		// The reference subtracts the other way round.
		if !nearRelative(-gotT, *c.T, 1e-9) || !nearRelative(df, *c.DF, 1e-9) || !nearRelative(p, *c.P, 1e-8) {
			t.Errorf("%s: t %v df %v p %v, want %v %v %v", c.Name, gotT, df, p, *c.T, *c.DF, *c.P)
		}
	}
	if got, _, _ := Welch([]float64{1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("one value gives t = %v", got)
	}
}
