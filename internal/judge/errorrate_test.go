package judge

import (
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Simulated comparisons of identical code by the published protocol: 40 runs of
// each candidate against itself, then 101 pairs. The nominal error rate is 5 %;
// the limit leaves room for the chance of 400 comparisons. Measured with this
// seed: 2.0 % with independent pairs and 3.8 % where neighbours correlate.
func TestErrorRateOfDefaultComparisons(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	const comparisons, limit = 400, 0.08
	for _, tt := range []struct {
		name   string
		memory float64
	}{{"independent", 0}, {"autocorrelation 0.4", 0.4}} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSource(16)
			s.memory = tt.memory
			wrong := 0
			for range comparisons {
				if v := Judge(s.fixed(40, 101, 0), policy()).Verdict; v == record.Faster || v == record.Slower {
					wrong++
				}
			}
			rate := float64(wrong) / comparisons
			t.Logf("%.1f %% wrong verdicts", 100*rate)
			if rate > limit {
				t.Errorf("%.1f %% of the comparisons of identical code named a winner", 100*rate)
			}
		})
	}
}

// The same for runs that stop at the first verdict, of up to 30 units at the
// error rate of 1 %.
func TestErrorRateOfSequentialComparisons(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	const comparisons, units, limit = 200, 30, 0.03
	s := newSource(17)
	p := policy()
	p.Sequential, p.ErrorRate, p.Margin = true, 0.01, 1e-6
	wrong := 0
	for range comparisons {
		all := s.nested(units, 20, 0, 0.002)
		for count := FirstLook; count <= units; count++ {
			if v := Judge(all[:count], p).Verdict; v == record.Faster || v == record.Slower {
				wrong++
				break
			}
		}
	}
	rate := float64(wrong) / comparisons
	t.Logf("%.1f %% wrong verdicts", 100*rate)
	if rate > limit {
		t.Errorf("%.1f %% of the comparisons of identical code named a winner", 100*rate)
	}
}

// A difference of three standard errors of the median is found nearly always.
func TestPowerOfDefaultComparisons(t *testing.T) {
	const comparisons = 50
	s := newSource(18)
	found := 0
	for range comparisons {
		if Judge(s.fixed(40, 101, 0.01), policy()).Verdict == record.Slower {
			found++
		}
	}
	if found < comparisons*9/10 {
		t.Errorf("a difference of 1 %% with 1 %% scatter was found in %d of %d comparisons", found, comparisons)
	}
}
