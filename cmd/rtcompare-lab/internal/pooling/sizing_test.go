package pooling

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// TestSizingIsThatOfMultiproc compares the rule that is said again here with
// real runs.
func TestSizingIsThatOfMultiproc(t *testing.T) {
	for _, c := range []struct {
		seed   uint64
		spread float64
		opt    multiproc.Options
	}{
		{1, 0.001, multiproc.Options{}},
		{2, 0.02, multiproc.Options{}},
		{3, 0.03, multiproc.Options{MaxProcesses: 18}},
		{4, 0.03, multiproc.Options{MinProcesses: 3, MaxProcesses: 11, Rotation: 1}},
		{5, 0.03, multiproc.Options{MinProcesses: 4, AbsPrecision: 0.03, RelPrecision: 0.2}},
		{6, 0.03, multiproc.Options{MinProcesses: 8, AbsPrecision: 0.025, Rotation: 4}},
		{7, 0.10, multiproc.Options{MaxProcesses: 9}},
		{11, 0.03, multiproc.Options{}},
	} {
		t.Run(fmt.Sprint(c.seed), func(t *testing.T) {
			c.opt.Seed = c.seed
			r := multiproc.RunTestSuite(t, c.opt, func(p *multiproc.Process) error {
				p.Record(scriptedName, scripted(p.Seed, c.spread))
				return nil
			})
			compareSizing(t, r, sizingOf(c.opt), c.spread)
		})
	}
}

func sizingOf(opt multiproc.Options) sizing {
	z := multiprocSizing()
	if opt.Rotation > 0 {
		z.step = opt.Rotation
	}
	if opt.MinProcesses > 0 {
		z.first = up(opt.MinProcesses, z.step)
	}
	if opt.MaxProcesses > 0 {
		z.most = max(opt.MaxProcesses, z.first)
	}
	if opt.AbsPrecision > 0 {
		z.abs = opt.AbsPrecision
	}
	if opt.RelPrecision > 0 {
		z.rel = opt.RelPrecision
	}
	return z
}

var errMore = errors.New("more processes than multiproc ran")

func compareSizing(t *testing.T, r multiproc.Results, z sizing, spread float64) {
	t.Helper()
	next := 0
	got := z.run(func() (rtcompare.Report, error) {
		if next == len(r.Seeds) {
			return rtcompare.Report{}, errMore
		}
		next++
		return scripted(r.Seeds[next-1], spread), nil
	})
	want := r.Comparisons[0].Pooled
	if got.err != nil || got.processes != r.Processes || got.precise != r.Precise {
		t.Fatalf("%d processes, precise %v, error %v; multiproc ran %d, precise %v", got.processes, got.precise, got.err, r.Processes, r.Precise)
	}
	if got.pooled.Decision.Low != want.Decision.Low || got.pooled.Decision.High != want.Decision.High || got.pooled.FirstStage != want.FirstStage {
		t.Errorf("interval %v to %v from %d; multiproc has %v to %v from %d", got.pooled.Decision.Low, got.pooled.Decision.High, got.pooled.FirstStage,
			want.Decision.Low, want.Decision.High, want.FirstStage)
	}
}

// TestSampleIsCombine compares the short computation of the rules with the real
// one.
func TestSampleIsCombine(t *testing.T) {
	two := multiprocSizing()
	two.share = 0
	for i := range uint64(500) {
		from := population{0.3 * (float64(i%4) - 1), 1 + float64(i%7)}
		for _, c := range []struct {
			sizing
			run func(*sample) answer
		}{{two, twoStages}, {multiprocSizing(), threeStages(againAt)}} {
			r := rand.New(rand.NewPCG(9, i))
			slow := c.sizing.run(func() (rtcompare.Report, error) { return reported(from.draw(r), smallestError), nil })
			r = rand.New(rand.NewPCG(9, i))
			quick := rule{first: c.first, run: c.run}.answer(func() float64 { return from.draw(r) })
			half := (slow.pooled.Decision.High - slow.pooled.Decision.Low) / 2
			if slow.err != nil || slow.processes != quick.processes || math.Abs(half-quick.half) > 1e-12 || math.Abs(slow.pooled.Decision.LogRatio-quick.mean) > 1e-12 {
				t.Fatalf("%v: %d and %d processes, half-widths %v and %v, error %v", from, slow.processes, quick.processes, half, quick.half, slow.err)
			}
			if c.narrow(slow.pooled) != quick.narrow {
				t.Fatalf("%v: narrow enough is %v", from, quick.narrow)
			}
		}
	}
}

func TestMultiprocSizing(t *testing.T) {
	if z := multiprocSizing(); z.first != 6 || z.most != 40 || z.step != 2 {
		t.Errorf("%+v", z)
	}
	if n := portion(math.MaxInt, 0.4); n < 40 {
		t.Errorf("a share of too many processes is %d", n)
	}
}
