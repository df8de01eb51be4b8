package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// twoState draws the ratio of two layouts that each lie in one of two states.
func twoState(coin *rand.Rand, sd float64) float64 {
	state := func() float64 { return float64(2*coin.IntN(2)-1) * sd }
	return state() - state() + 0.001*coin.NormFloat64()
}

// Coverage at nominal 99.5 % (ten rows at 5 %) over 4,000 simulated rows: at
// most 0.85 % of the intervals may miss, three standard errors above 0.5 %.
func TestLayoutCoverage(t *testing.T) {
	coin := rand.New(rand.NewPCG(1, 2))
	populations := map[string]func() float64{
		"normal":    func() float64 { return 0.01 * (coin.NormFloat64() - coin.NormFloat64()) },
		"two-state": func() float64 { return twoState(coin, 0.02) },
		"15 % bad": func() float64 {
			bad := func() float64 {
				if coin.Float64() < 0.15 {
					return 0.05
				}
				return 0
			}
			return bad() - bad() + 0.002*coin.NormFloat64()
		},
	}
	const rows, rate = 4_000, 0.005
	for name, draw := range populations {
		missed := 0
		for range rows {
			ratios := make([]float64, 12)
			for i := range ratios {
				ratios[i] = draw()
			}
			if low, high := layoutInterval(ratios)(rate); low > 0 || high < 0 {
				missed++
			}
		}
		if share := float64(missed) / rows; share > 0.0085 {
			t.Errorf("%s: %.2f %% of the intervals miss", name, 100*share)
		}
	}
}

func TestSubsetMeansAreExact(t *testing.T) {
	// Of three values there are seven subset means: 1, 1.5, 2, 2, 2.5, 2.333, 3 …
	low, high := subsetMeans([]float64{1, 2, 4})(0.25)
	if low != 1 || high != 4 {
		t.Errorf("[%v %v], want the ends at an eighth each", low, high)
	}
	low, high = subsetMeans([]float64{1, 2, 4})(0.5)
	if low != 1.5 || high != 3 {
		t.Errorf("[%v %v], want the second from each end", low, high)
	}
	if low, high = subsetMeans([]float64{1, 2, 4})(0.2); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("[%v %v]: three values cannot reach this rate", low, high)
	}
}

func TestLayoutVerdicts(t *testing.T) {
	spread := func(center, sd float64, count int) []float64 {
		coin := rand.New(rand.NewPCG(3, uint64(count)))
		values := make([]float64, count)
		for i := range values {
			values[i] = center + sd*coin.NormFloat64()
		}
		return values
	}
	p := Policy{Arm: 1, Metric: Wall, ErrorRate: 0.005, Margin: math.Log1p(0.03)}
	tests := []struct {
		name   string
		ratios []float64
		want   record.Verdict
		within bool
	}{
		{"clearly slower", spread(0.06, 0.01, 12), record.Slower, false},
		{"faster by less than the margin", spread(-0.015, 0.002, 12), record.Faster, true},
		{"equal", spread(0, 0.005, 12), record.Equivalent, false},
		{"undecided", spread(0.02, 0.05, 12), record.Inconclusive, false},
		{"too few", spread(0.3, 0.001, 3), record.Inconclusive, false},
		{"none", nil, record.Unmeasurable, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := JudgeLayouts(tt.ratios, p)
			if j.Verdict != tt.want || j.WithinMargin != tt.within {
				t.Errorf("%s (within the margin %v), [%v %v]", j.Verdict, j.WithinMargin, j.Low, j.High)
			}
			mirrored := make([]float64, len(tt.ratios))
			for i, v := range tt.ratios {
				mirrored[i] = -v
			}
			back := JudgeLayouts(mirrored, p)
			if len(tt.ratios) > 0 && (math.Abs(back.Low+j.High) > 1e-12 || math.Abs(back.LogRatio+j.LogRatio) > 1e-12) {
				t.Errorf("there [%v %v], back [%v %v]", j.Low, j.High, back.Low, back.High)
			}
		})
	}
	if j := JudgeLayouts(spread(0.02, 0.05, 12), p); j.UnitsNeeded <= 12 {
		t.Errorf("undecided, and %d layouts would do", j.UnitsNeeded)
	}
}

func TestHolmAgreesWithItsIntervals(t *testing.T) {
	rates := Holm([]float64{0.2, 0.001, 0.013, 0.9}, 0.05)
	want := []float64{0.05 / 2, 0.05 / 4, 0.05 / 3, 0.05 / 2}
	for i := range want {
		if math.Abs(rates[i]-want[i]) > 1e-15 {
			t.Errorf("rates %v, want %v", rates, want)
		}
	}
	// Rows after the first that fails share its level, though their own would
	// be larger.
	if rates := Holm([]float64{0.04, 0.04, 0.04}, 0.05); !slices.Equal(rates, []float64{0.05 / 3, 0.05 / 3, 0.05 / 3}) {
		t.Errorf("rates %v", rates)
	}
	if len(Holm(nil, 0.05)) != 0 {
		t.Error("rates of no rows")
	}
}
