package multiproc

import (
	"math"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare"
)

// simulated is a run whose processes find what next says. It begins with those
// that found has already, as a resumed run does.
func simulated(opt Options, found []float64, next func() float64) (*parent, []float64) {
	opt = opt.withDefaults()
	p := &parent{opt: opt, sizes: opt.sizes(), kind: "simulated"}
	logs := slices.Clone(found)
	for _, x := range found {
		p.slots = append(p.slots, simulatedSlot(x))
	}
	_ = p.runStages(func(target int) error {
		p.total = target
		for len(p.slots) < target {
			x := next()
			logs, p.slots = append(logs, x), append(p.slots, simulatedSlot(x))
		}
		return nil
	})
	return p, logs
}

func simulatedSlot(x float64) slot {
	d := rtcompare.Decision{Verdict: rtcompare.Inconclusive, LogRatio: x, Low: x - 0.001, High: x + 0.001, Level: 0.95}
	return slot{found: &outcome{records: []recorded{{"x", rtcompare.Report{Decision: d}}}}}
}

// around draws from a normal distribution.
func around(r *rtcompare.DPRNG, mean, sd float64) float64 {
	return mean + sd*math.Sqrt(-2*math.Log(1-r.Float64()))*math.Cos(2*math.Pi*r.Float64())
}

// A nominal 95 % interval holds the truth whatever the scatter, whether the
// first stage chose the size, or the second, or the largest number did, or
// sometimes one and sometimes the other. With 4000 trials, the bounds are four
// standard errors away from the lowest and the highest coverage that the lab
// shows, 94.3 and 95.3 %.
func TestStagedRunsCover(t *testing.T) {
	const trials = 4000
	r := rtcompare.NewDPRNG(31)
	for _, tt := range []struct{ truth, sd, mean float64 }{
		{0, 0.01, 7}, {0, 0.03, 14}, {0.05, 0.05, 26}, {-0.05, 0.05, 26}, {0.3, 0.05, 14}, {0, 0.06, 40}, {0, 0.1, 40},
	} {
		held, processes, short, width := 0, 0, 0, 0.0
		for range trials {
			p, _ := simulated(Options{}, nil, func() float64 { return around(&r, tt.truth, tt.sd) })
			found := p.results()
			d := found.Comparisons[0].Pooled.Decision
			if d.Low <= tt.truth && tt.truth <= d.High {
				held++
			}
			processes += found.Processes
			width += d.High - d.Low
			if !found.Precise {
				short++
			}
		}
		share, mean := float64(held)/trials, float64(processes)/trials
		t.Logf("truth %g, sd %g: %.2f %% hold it, %.1f processes, %.0f %% at the largest number, half-width %.4f",
			tt.truth, tt.sd, 100*share, mean, 100*float64(short)/trials, width/2/trials)
		if share < 0.929 || share > 0.967 || mean > tt.mean {
			t.Errorf("truth %g, sd %g: %.2f %% of the intervals hold it, with %.1f processes", tt.truth, tt.sd, 100*share, mean)
		}
	}
}

// With A and B swapped a run has the same size, and its answer is the exact
// mirror image.
func TestSizesDoNotDependOnWhichIsCalledA(t *testing.T) {
	r := rtcompare.NewDPRNG(5)
	sizes := make(map[int]bool)
	for range 300 {
		truth, sd := 0.8*(r.Float64()-0.5), 0.08*r.Float64()
		a, logs := simulated(Options{}, nil, func() float64 { return around(&r, truth, sd) })
		next := 0
		b, _ := simulated(Options{}, nil, func() float64 { next++; return -logs[next-1] })
		one, other := a.results(), b.results()
		sizes[one.Processes] = true
		if one.Processes != other.Processes || one.Precise != other.Precise {
			t.Fatalf("truth %g, sd %g: %d processes, precise %v, and swapped %d, %v", truth, sd, one.Processes, one.Precise, other.Processes, other.Precise)
		}
		p, q := one.Comparisons[0].Pooled, other.Comparisons[0].Pooled
		d, e := p.Decision, q.Decision
		if p.FirstStage != q.FirstStage || d.LogRatio != -e.LogRatio || d.Low != -e.High || d.High != -e.Low || d.PValue != e.PValue {
			t.Fatalf("%+v and swapped %+v", d, e)
		}
	}
	if len(sizes) < 10 {
		t.Errorf("only the sizes %v came", sizes)
	}
}

// A run that finds some of its processes in its journal takes the same ones as
// a run at once, wherever it was interrupted.
func TestSizesDoNotDependOnWhereARunWasInterrupted(t *testing.T) {
	r := rtcompare.NewDPRNG(9)
	for _, opt := range []Options{{}, {Parallel: 3}, {MinProcesses: 3, Rotation: 1, MaxProcesses: 31}} {
		for range 20 {
			sd := 0.06 * r.Float64()
			whole, logs := simulated(opt, nil, func() float64 { return around(&r, 0.02, sd) })
			want := whole.results()
			for kept := range len(logs) {
				next := kept
				resumed, _ := simulated(opt, logs[:kept], func() float64 { next++; return logs[next-1] })
				got := resumed.results()
				a, b := want.Comparisons[0].Pooled, got.Comparisons[0].Pooled
				if got.Processes != want.Processes || got.Precise != want.Precise || a.FirstStage != b.FirstStage || a.Decision != b.Decision {
					t.Fatalf("%+v, resumed after %d: %+v, want %+v", opt, kept, b, a)
				}
			}
		}
	}
}

// The size is asked for twice at most: by the first stage, and by a share of
// what that asks for.
func TestStages(t *testing.T) {
	for _, tt := range []struct {
		opt    Options
		spread float64 // half the distance of two groups of processes
		stages []int
	}{
		{Options{}, 0.001, []int{6, 6, 6}},
		{Options{}, 0.02, []int{6, 6, 8}},
		// The spread of six is 4.93 points: 41 by their t quantile of 2.571, of
		// which 0.3 is 13. That of 14 is 4.67 points, 26 by their 2.160.
		{Options{}, 0.045, []int{6, 14, 26}},
		{Options{}, 0.06, []int{6, 22, 40}},
		{Options{}, 0.2, []int{6, 40, 40}},
		{Options{MaxProcesses: 9}, 0.2, []int{6, 9, 9}},
		{Options{Parallel: 4}, 0.045, []int{8, 12, 28}},
		{Options{MaxProcesses: 6}, 0.2, []int{6, 6, 6}},
		// Four processes are asked once.
		{Options{MinProcesses: 4}, 0.03, []int{4, 4, 32}},
	} {
		opt := tt.opt.withDefaults()
		p := &parent{opt: opt, sizes: opt.sizes()}
		var stages []int
		_ = p.runStages(func(target int) error {
			stages = append(stages, target)
			p.total = target
			for len(p.slots) < target {
				p.slots = append(p.slots, simulatedSlot(tt.spread*float64(1-2*(len(p.slots)%2))))
			}
			return nil
		})
		if !slices.Equal(stages, tt.stages) {
			t.Errorf("%+v, spread %g: stages %v, want %v", tt.opt, tt.spread, stages, tt.stages)
		}
	}
}
