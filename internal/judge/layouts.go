package judge

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// FewestLayouts per side say something about the code and not only about
	// two builds of it.
	FewestLayouts = 4
	// mostExact is the largest number of layouts for which all subsets are
	// looked at.
	mostExact = 16
	// assumedLayoutSD widens what fewer layouts say: identical source differs by
	// about so much between link orders.
	assumedLayoutSD = 0.03
)

// The codes of warnings about layouts.
const (
	// CodeFewLayouts: too few layouts for a verdict about the code.
	CodeFewLayouts = "few-layouts"
)

// LayoutRatios returns one log ratio per unit of a row, arm over base: the
// median of its pairs. Units are stretches on one pair of layouts; those of the
// same index are joined.
func LayoutRatios(units []record.Unit, p Policy) []float64 {
	byIndex := map[int][]record.Unit{}
	var order []int
	for _, u := range units {
		if (p.Row != "" && u.Row != p.Row) || u.Purpose != p.purpose() {
			continue
		}
		if _, known := byIndex[u.Index]; !known {
			order = append(order, u.Index)
		}
		byIndex[u.Index] = append(byIndex[u.Index], u)
	}
	slices.Sort(order)
	var ratios []float64
	for _, index := range order {
		e := gather(byIndex[index], p)
		if len(e.units) > 0 && e.finite {
			ratios = append(ratios, stat.Median(e.units))
		}
	}
	return ratios
}

func (p Policy) purpose() record.Purpose {
	if p.Purpose == "" {
		return record.Main
	}
	return p.Purpose
}

// JudgeLayouts answers from one log ratio per layout whether the arm is faster
// than the base, at the policy's error rate. Each layout is a fresh build and
// process of either side, drawn independently of the other's, so the ratios are
// independent by construction; both sides of a ratio were measured in turns, so
// that the machine's drift cancels. The interval is the hull of Student's t and
// of the subset means (Hartigan 1969), which hold exactly for every symmetric
// distribution, such as that of two-state layouts.
//
// Fewer than four layouts are no verdict about the code: the interval is then
// wider by an assumed scatter of layouts of 3 %.
func JudgeLayouts(ratios []float64, p Policy) record.Judgement {
	j := record.Judgement{
		Version: Version, Row: p.Row, Base: p.Base, Arm: p.Arm, Metric: string(p.Metric), ErrorRate: p.ErrorRate, Margin: p.Margin,
		Units: len(ratios), Verdict: record.Inconclusive, PValue: 1,
		Low: math.Inf(-1), High: math.Inf(1), EquivalenceLow: math.Inf(-1), EquivalenceHigh: math.Inf(1), SmallestVisible: math.Inf(1),
	}
	if len(ratios) == 0 {
		j.Verdict = record.Unmeasurable
		j.Warnings = []record.Warning{{Code: CodeFewUnits, Arm: p.Arm}}
		return j
	}
	interval := layoutInterval(ratios)
	mean, deviation := stat.MeanAndSD(ratios)
	j.LogRatio = mean
	j.Low, j.High = interval(p.ErrorRate)
	j.EquivalenceLow, j.EquivalenceHigh = interval(min(1, 2*p.ErrorRate))
	j.PValue = pValue(interval, 0)
	if len(ratios) > 1 {
		root := math.Sqrt(float64(len(ratios)))
		j.SmallestVisible = (j.High-j.Low)/2 + stat.NormalQuantile(power)*deviation/root
		j.IdenticalSpread = deviation
	}
	decideLayouts(&j, p, len(ratios))
	return j
}

func decideLayouts(j *record.Judgement, p Policy, layouts int) {
	inside := -p.Margin < j.EquivalenceLow && j.EquivalenceHigh < p.Margin
	switch {
	case p.Unfit != "":
		j.Verdict = record.Unmeasurable
		j.Warnings = append(j.Warnings, record.Warning{Code: p.Unfit, Arm: p.Arm})
	case layouts < FewestLayouts:
		j.Warnings = append(j.Warnings, record.Warning{Code: CodeFewLayouts, Arm: p.Arm, Values: map[string]float64{"layouts": float64(layouts)}})
	case j.High < 0:
		j.Verdict, j.WithinMargin = record.Faster, inside
	case j.Low > 0:
		j.Verdict, j.WithinMargin = record.Slower, inside
	case inside:
		j.Verdict = record.Equivalent
	}
	if j.Verdict == record.Inconclusive {
		j.UnitsNeeded = layoutsNeeded(j, p)
	}
}

// layoutsNeeded is how many layouts would probably decide: the number at which
// a difference of the size seen, or the margin where it is nearer, is found with
// 90 % probability. 0 means that no number is known.
func layoutsNeeded(j *record.Judgement, p Policy) int {
	target := max(math.Abs(j.LogRatio), p.Margin-math.Abs(j.LogRatio))
	if !(target > 0) || !(j.IdenticalSpread > 0) {
		return 0
	}
	quantiles := stat.NormalQuantile(1-p.ErrorRate/2) + stat.NormalQuantile(power)
	needed := math.Ceil(math.Pow(quantiles*j.IdenticalSpread/target, 2))
	if needed > math.MaxInt32 {
		return 0
	}
	return max(j.Units+1, int(needed))
}

// layoutInterval is the interval of the mean of ratios from layouts.
func layoutInterval(ratios []float64) Interval {
	count := len(ratios)
	mean, deviation := stat.MeanAndSD(ratios)
	if count < FewestLayouts {
		half := func(alpha float64) float64 {
			return normalQuantile(alpha) * assumedLayoutSD * math.Sqrt(2/float64(count))
		}
		return around(mean, half)
	}
	quantile := studentQuantile(count - 1)
	root := math.Sqrt(float64(count))
	parts := []part{{around(mean, func(alpha float64) float64 { return scaled(quantile(alpha), deviation/root) }), quantile}}
	if count <= mostExact {
		parts = append(parts, part{subsetMeans(ratios), normalQuantile})
	}
	return hull(parts)
}

// subsetMeans is the interval from the means of all non-empty subsets of the
// values (Hartigan 1969): the centre of a symmetric distribution is equally
// likely to lie in any of the gaps between them. An error rate that the number
// of values cannot reach has no bounds.
func subsetMeans(values []float64) Interval {
	count := len(values)
	means := make([]float64, 0, 1<<count-1)
	sums := make([]float64, 1<<count)
	sizes := make([]int, 1<<count)
	for set := 1; set < 1<<count; set++ {
		lowest := set & -set
		index := 0
		for 1<<index != lowest {
			index++
		}
		rest := set ^ lowest
		sums[set], sizes[set] = sums[rest]+values[index], sizes[rest]+1
		means = append(means, sums[set]/float64(sizes[set]))
	}
	slices.Sort(means)
	gaps := float64(len(means) + 1)
	return func(alpha float64) (low, high float64) {
		// So many gaps at either end hold the centre with probability alpha/2.
		rank := int(math.Floor(alpha / 2 * gaps))
		if rank < 1 {
			return math.Inf(-1), math.Inf(1)
		}
		rank = min(rank, (len(means)+1)/2)
		return means[rank-1], means[len(means)-rank]
	}
}

// Holm returns for each of several p-values the error rate at which its row is
// judged, so that all rows together are wrong at the given rate at most (Holm
// 1979): the smallest p-value shares the rate with all rows, the next with one
// row less, and from the first that does not reach its level on all share that
// one. A row is rejected if and only if its interval at this rate excludes zero.
func Holm(pValues []float64, errorRate float64) []float64 {
	order := make([]int, len(pValues))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case pValues[a] < pValues[b]:
			return -1
		case pValues[a] > pValues[b]:
			return 1
		}
		return 0
	})
	rates := make([]float64, len(pValues))
	level, stopped := 0.0, false
	for rank, row := range order {
		if !stopped {
			level = errorRate / float64(len(pValues)-rank)
			stopped = pValues[row] > level
		}
		rates[row] = level
	}
	return rates
}
