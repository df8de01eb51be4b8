package pooling

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCorrelation(t *testing.T) {
	if c := correlation([]float64{1, 2, 3, 4}, 1); math.Abs(c-0.25) > 1e-12 {
		t.Errorf("1 to 4: %v, want 0.25", c)
	}
	if c := correlation([]float64{1, -1, 1, -1, 1, -1}, 2); math.Abs(c-4.0/6) > 1e-12 {
		t.Errorf("in turns: %v", c)
	}
	if c := correlation([]float64{2, 2, 2}, 1); c != 0 {
		t.Errorf("of equal values: %v", c)
	}
}

// What each order of building adds is told apart from what one process hands on
// to the next.
func TestDependence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	orders, chain := make([]float64, 200), make([]float64, 200)
	level := 0.0
	for i := range orders {
		orders[i] = 0.03*float64(2*(i%2)-1) + 0.01*r.NormFloat64()
		level = 0.7*level + r.NormFloat64()
		chain[i] = 0.01 * level
	}
	d := dependenceOf(orders)
	if math.Abs(d.second-0.03) > 4*d.secondError || d.secondError > 0.001 || d.lag1 > -0.7 || math.Abs(d.without1) > 4/math.Sqrt(200) || d.p < 0.0001 {
		t.Errorf("%+v", d)
	}
	if d = dependenceOf(chain); d.without1 < 0.5 || d.p > 0.001 || math.Abs(d.second) > 4*d.secondError {
		t.Errorf("%+v", d)
	}
	if _, err := InOrder(IdenticalSetup{Most: FewestInOrder - 1, Comparisons: 1}); err == nil {
		t.Error("few processes are accepted")
	}
}
