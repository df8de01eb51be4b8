package bench

import (
	"testing"
	"time"
)

func TestPlanKeepsToTheTime(t *testing.T) {
	const second = time.Second
	o := Options{Layouts: 12, ScreenLayouts: 2, Judged: 10, Time: time.Minute}
	for _, rows := range []int{0, 1, 3, 10, 11, 50, 1000} {
		for _, start := range []time.Duration{0, 50 * time.Millisecond, second, time.Hour} {
			for _, all := range []bool{false, true} {
				o.All = all
				p := planFor(rows, start, o)
				planned := p.ScreenTime*time.Duration(p.Rows*p.ScreenLayouts) + p.JudgeTime*time.Duration(p.Judged*p.Layouts)
				if planned > o.Time {
					t.Errorf("%d rows, start %v: %v planned, %v allowed: %+v", rows, start, planned, o.Time, p)
				}
				if p.Rows+p.LeftOut != rows || p.Judged > p.Rows || p.LeftOut < 0 {
					t.Errorf("%d rows, start %v: rows vanish: %+v", rows, start, p)
				}
				if p.Judged > 0 && p.JudgeTime < start+shortestScreen {
					t.Errorf("%d rows, start %v: %v for a row on a layout", rows, start, p.JudgeTime)
				}
			}
		}
	}
	if p := planFor(50, 20*time.Millisecond, o); p.LeftOut > 0 {
		t.Errorf("a minute does not suffice for 50 rows: %+v", p)
	}
}

// Layouts of the sides and stages have nothing in common, and the same seed
// draws them again.
func TestLayoutNumbers(t *testing.T) {
	seen := map[int]bool{}
	for side := range 2 {
		for stage := range 2 {
			for index := range 40 {
				n := layoutNumber(7, side, stage, index)
				if n <= 0 || seen[n] {
					t.Errorf("layout %d of side %d, stage %d, index %d", n, side, stage, index)
				}
				if n != layoutNumber(7, side, stage, index) {
					t.Error("the same seed draws another layout")
				}
				seen[n] = true
			}
		}
	}
}
