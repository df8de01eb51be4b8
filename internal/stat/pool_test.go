package stat

import (
	"math"
	"testing"
)

func TestCochranVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			Delta, SE []float64
			Q, I2     float64
			Mean, SD  float64
			CI        [2]*float64 `json:"ci95_t"`
		}
	}
	loadVectors(t, "cochran.json", &v)
	if len(v.Cases) == 0 {
		t.Fatal("vectors are missing")
	}
	for i, c := range v.Cases {
		h := Cochran(c.Delta, c.SE)
		if !nearRelative(h.Q, c.Q, 1e-9) || !nearRelative(h.I2, c.I2, 1e-9) {
			t.Errorf("case %d: got %+v want %g %g", i, h, c.Q, c.I2)
		}
		mean, lo, hi := MeanInterval(c.Delta, 0.95)
		if !nearRelative(mean, c.Mean, 1e-9) {
			t.Errorf("case %d: mean %g want %g", i, mean, c.Mean)
		}
		if _, sd := MeanAndSD(c.Delta); !nearRelative(sd, c.SD, 1e-9) {
			t.Errorf("case %d: sd %g want %g", i, sd, c.SD)
		}
		if c.CI[0] == nil {
			if lo != mean || hi != mean {
				t.Errorf("case %d: equal values give %g..%g", i, lo, hi)
			}
			continue
		}
		if !nearRelative(lo, *c.CI[0], 1e-9) || !nearRelative(hi, *c.CI[1], 1e-9) {
			t.Errorf("case %d: interval %.12g..%.12g want %.12g..%.12g", i, lo, hi, *c.CI[0], *c.CI[1])
		}
	}
}

func TestCochranEdges(t *testing.T) {
	for _, c := range [][2][]float64{
		{nil, nil}, {{1, 2}, {1}}, {{1, 2}, {1, 0}}, {{1, 2}, {1, -1}}, {{1, 2}, {1, math.NaN()}}, {{math.NaN(), 2}, {1, 1}},
	} {
		if h := Cochran(c[0], c[1]); !math.IsNaN(h.Q) || !math.IsNaN(h.I2) {
			t.Errorf("Cochran(%v, %v) = %+v, want NaN", c[0], c[1], h)
		}
	}
	if _, lo, hi := MeanInterval([]float64{3}, 0.95); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Error("one value has no interval")
	}
	if _, lo, hi := MeanInterval([]float64{3, 4}, 1); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Error("level 1 has no interval")
	}
}

func TestAdjustedVectors(t *testing.T) {
	var v struct {
		Cases []struct{ P, BH, Holm []float64 }
	}
	loadVectors(t, "bh.json", &v)
	if len(v.Cases) == 0 {
		t.Fatal("vectors are missing")
	}
	for i, c := range v.Cases {
		holm, bh := Holm(c.P), BenjaminiHochberg(c.P)
		for j := range c.P {
			if !near(holm[j], c.Holm[j], 1e-12) {
				t.Errorf("case %d test %d: Holm %.17g want %.17g", i, j, holm[j], c.Holm[j])
			}
			if !near(bh[j], c.BH[j], 1e-12) {
				t.Errorf("case %d test %d: Benjamini-Hochberg %.17g want %.17g", i, j, bh[j], c.BH[j])
			}
		}
	}
}

func TestAdjustedKeepsNaN(t *testing.T) {
	p := []float64{0.01, math.NaN(), 0.04}
	for i, want := range []float64{0.02, math.NaN(), 0.04} {
		if got := Holm(p)[i]; !near(got, want, 1e-15) {
			t.Errorf("Holm: entry %d is %g, want %g", i, got, want)
		}
		if got := BenjaminiHochberg(p)[i]; !near(got, want, 1e-15) {
			t.Errorf("Benjamini-Hochberg: entry %d is %g, want %g", i, got, want)
		}
	}
	if len(Holm(nil)) != 0 || len(BenjaminiHochberg(nil)) != 0 {
		t.Error("no tests have no adjusted values")
	}
}

func TestAdjustedOrderAndBounds(t *testing.T) {
	r := random(50)
	for range 100 {
		p := make([]float64, 1+r.IntN(40))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 3)
		}
		holm, bh := Holm(p), BenjaminiHochberg(p)
		for i := range p {
			if holm[i] < bh[i] || bh[i] < p[i] || holm[i] > 1 {
				t.Fatalf("p %g: Benjamini-Hochberg %g, Holm %g", p[i], bh[i], holm[i])
			}
			for j := range p {
				if p[i] < p[j] && (holm[i] > holm[j] || bh[i] > bh[j]) {
					t.Fatalf("order of %g and %g was lost", p[i], p[j])
				}
			}
		}
	}
}

func TestConfidenceSequenceVectors(t *testing.T) {
	var v struct {
		Factors []struct {
			N        int
			G, Alpha float64
			Factor   *float64
		}
		EValues []struct {
			T    float64
			N    int
			G    float64
			LogE float64 `json:"log_e"`
		}
	}
	loadVectors(t, "tconfseq.json", &v)
	if len(v.Factors) != 78 || len(v.EValues) == 0 {
		t.Fatal("vectors are missing")
	}
	for _, c := range v.Factors {
		want := math.Inf(1)
		if c.Factor != nil {
			want = *c.Factor
		}
		got := ConfidenceSequenceFactor(c.N, c.G, c.Alpha)
		if !nearRelative(got, want, 1e-9) {
			t.Errorf("factor n=%d g=%g alpha=%g: got %.17g want %.17g", c.N, c.G, c.Alpha, got, want)
		}
		if math.IsInf(got, 1) {
			continue
		}
		// The end of the interval is the t whose e-value is 1/alpha.
		if e := ConfidenceSequenceLogE(got, c.N, c.G); !near(e, -math.Log(c.Alpha), 1e-9) {
			t.Errorf("factor n=%d g=%g: log e-value %g at the end, want %g", c.N, c.G, e, -math.Log(c.Alpha))
		}
	}
	for _, c := range v.EValues {
		if got := ConfidenceSequenceLogE(c.T, c.N, c.G); !near(got, c.LogE, 1e-9) {
			t.Errorf("log e-value t=%g n=%d: got %.17g want %.17g", c.T, c.N, got, c.LogE)
		}
	}
}

func TestConfidenceSequenceErrorOverManyLooks(t *testing.T) {
	const trials, looks = 2000, 200
	r := random(51)
	wrong := 0
	for range trials {
		x := make([]float64, 0, looks)
		for range looks {
			x = append(x, r.NormFloat64())
			mean, sd := MeanAndSD(x)
			n := len(x)
			if math.Abs(mean) > ConfidenceSequenceFactor(n, 1, 0.05)*sd/math.Sqrt(float64(n)) {
				wrong++
				break
			}
		}
	}
	if share := float64(wrong) / trials; share > 0.05 {
		t.Errorf("the sequence misses in %.3f of the runs", share)
	} else {
		t.Logf("the sequence misses in %.3f of the runs", share)
	}
}
