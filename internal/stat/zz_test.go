package stat

import (
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	for _, n := range []int{1000, 2000, 10000, 20000, 200000} {
		for k := 0; k < 2; k++ {
			x := make([]float64, n)
			r := random(1)
			for i := range x {
				x[i] = r.Float64()
				if k == 1 && i > n/2 {
					x[i] += 5
				}
			}
			t0 := time.Now()
			BootstrapMedian(x, AutoBlockLength(n))
			t.Log(n, k, time.Since(t0))
		}
	}
}
func BenchmarkUnpairedInterval100(b *testing.B) {
	r := random(24)
	m:= MedianRatio{BootstrapMedian(lognormalSeries(r, 100), 1), BootstrapMedian(lognormalSeries(r, 100), 1)}
	for b.Loop() {
		m.Quantile(0.025)
		m.Quantile(0.975)
	}
}
func BenchmarkUnpairedConf100(b *testing.B) {
	r := random(24)
	m:= MedianRatio{BootstrapMedian(lognormalSeries(r, 100), 1), BootstrapMedian(lognormalSeries(r, 100), 1)}
	for b.Loop() { m.AtLeast(0) }
}
