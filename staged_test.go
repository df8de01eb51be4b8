package rtcompare

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

func TestProcessesFor(t *testing.T) {
	p := Pooled{Processes: 6, Level: 0.95, SpreadBetween: 0.03, Delta: 0.25}
	tests := []struct {
		abs, rel float64
		want     int
	}{
		{0.02, 0, 15}, {0, 0.1, 10}, {0.02, 0.1, 10}, {0.5, 0, 6}, {0, 0, math.MaxInt}, {math.NaN(), 0, math.MaxInt}, {1e-9, 0, math.MaxInt}, {-1, -1, math.MaxInt},
	}
	for _, tt := range tests {
		if got := p.ProcessesFor(tt.abs, tt.rel); got != tt.want {
			t.Errorf("ProcessesFor(%v, %v) = %d, want %d", tt.abs, tt.rel, got, tt.want)
		}
	}
}

func TestCombineStaged(t *testing.T) {
	reports := processes(0.01, 0.2, 0.24, 0.16, 0.2, 0.2, 0.2, 0.2, 0.2)
	staged, err := CombineStaged(reports, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	logs := []float64{-math.Log(0.8), -math.Log(0.76), -math.Log(0.84)}
	_, deviation := stat.MeanAndSD(logs)
	half := stat.StudentQuantile(0.975, 2) * deviation / math.Sqrt(8)
	if d := staged.Decision; staged.FirstStage != 3 || !near(d.High-d.LogRatio, half, 1e-12) || !near(d.LogRatio-d.Low, half, 1e-12) {
		t.Errorf("%+v, want a half-width of %v", staged.Decision, half)
	}
	all, err := CombineStaged(reports, len(reports), 0)
	plain := combined(t, reports)
	if err != nil || all.Low != plain.Low || all.High != plain.High || all.Resolved != plain.Resolved {
		t.Errorf("[%v, %v] with all in the first stage, [%v, %v] without", all.Low, all.High, plain.Low, plain.High)
	}
}

// Nominal 95 % intervals hold the truth, whether the size is fixed beforehand
// or by the first stage.
func TestCombineCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	const trials, truth = 4000, 0.1
	r := NewDPRNG(11)
	draw := func(count int, sd float64) []Report {
		reports := make([]Report, count)
		for i := range reports {
			reports[i] = process(1-math.Exp(-(truth+sd*normal(&r))), 0.01)
		}
		return reports
	}
	want := 1 - math.Exp(-truth)
	for _, count := range []int{3, 5, 10} {
		held := 0
		for range trials {
			if p := combined(t, draw(count, 0.03)); p.Low <= want && want <= p.High {
				held++
			}
		}
		if share := float64(held) / trials; share < 0.94 || share > 0.96 {
			t.Errorf("%d processes: %.1f %% of the intervals hold the truth", count, 100*share)
		}
	}
	held := 0
	for range trials {
		reports := draw(6, 0.03)
		more := min(40, combined(t, reports).ProcessesFor(0.02, 0.1)) - 6
		p, err := CombineStaged(append(reports, draw(more, 0.03)...), 6, 0)
		if err != nil {
			t.Fatal(err)
		}
		if p.Low <= want && want <= p.High {
			held++
		}
	}
	if share := float64(held) / trials; share < 0.94 || share > 0.96 {
		t.Errorf("staged: %.1f %% of the intervals hold the truth", 100*share)
	}
}
