package stat

import (
	"math"
	"testing"
)

func TestStudentVectors(t *testing.T) {
	var v struct {
		Quantiles []struct{ Df, Level, P, Q float64 }
		Tail      []struct {
			Df, T, CDF float64
			TwoSided   float64 `json:"two_sided_p"`
			Log        float64 `json:"log_two_sided_p"`
		}
		Normal []struct{ Level, Z float64 }
		Stein  []struct{ First_stage, Level, T float64 }
	}
	loadVectors(t, "studentt.json", &v)
	if len(v.Quantiles) < 400 || len(v.Tail) < 100 || len(v.Normal) == 0 || len(v.Stein) == 0 {
		t.Fatal("vectors are missing")
	}
	worst, worstTail := 0.0, 0.0
	for _, c := range v.Quantiles {
		got := StudentQuantile(c.P, c.Df)
		worst = max(worst, math.Abs(got/c.Q-1))
		if !nearRelative(got, c.Q, 1e-10) {
			t.Errorf("quantile df %g p %g: got %.17g want %.17g", c.Df, c.P, got, c.Q)
		}
	}
	for _, c := range v.Tail {
		got := StudentTwoSidedP(c.T, c.Df)
		worstTail = max(worstTail, math.Abs(got/c.TwoSided-1))
		if !nearRelative(got, c.TwoSided, 1e-10) && !near(math.Log(got), c.Log, 1e-10*math.Abs(c.Log)) {
			t.Errorf("tail df %g t %g: got %.17g want %.17g", c.Df, c.T, got, c.TwoSided)
		}
		if got := StudentCDF(c.T, c.Df); !nearRelative(got, c.CDF, 1e-10) {
			t.Errorf("cdf df %g t %g: got %.17g want %.17g", c.Df, c.T, got, c.CDF)
		}
	}
	for _, c := range v.Normal {
		if got := NormalQuantile((1 + c.Level) / 2); !nearRelative(got, c.Z, 1e-10) {
			t.Errorf("normal quantile of level %g: got %.17g want %.17g", c.Level, got, c.Z)
		}
	}
	for _, c := range v.Stein {
		if got := StudentQuantile((1+c.Level)/2, c.First_stage-1); !nearRelative(got, c.T, 1e-10) {
			t.Errorf("first stage %g: got t %.17g want %.17g", c.First_stage, got, c.T)
		}
	}
	t.Logf("largest relative error: quantile %.2g, tail %.2g", worst, worstTail)
}
