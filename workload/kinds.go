package workload

import (
	"context"
	"fmt"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// KindCost is what operations of one kind cost one structure.
//
// Single operations are too short to be timed one by one, and in the stream the
// kinds alternate. So the cycle is sorted in windows of 64 to 1024 operations:
// insertions, then updates, lookups and scans, then deletions, which is just as
// valid. Each stretch of one kind is timed by itself, less the cost of reading
// the clock. The structures play the same thousands of operations one after the
// other, in turning order, each after a thousand untimed ones. This is done on
// instance after instance of every structure, and each set of instances is one
// sample, because two instances of the same structure differ by more than one
// instance does from moment to moment.
//
// Hence the limits. A processor predicts twenty insertions in a row better than
// a mixture, so that the kinds, weighted by how often they come, may add up to
// less than the steady state. The structure holds up to half a window of
// elements more than in the stream. There are no runs of identical code and
// there is no verdict. Only the caller's goroutine works on the structures,
// whatever Options.Goroutines says.
type KindCost struct {
	// Kind is the kind, Ops how often it comes in a cycle.
	Kind Kind
	Ops  int
	// NsPerOp is the median over the samples, in nanoseconds per operation.
	NsPerOp float64
	// Samples is how many instances were measured.
	Samples int
	// Against compares the first structure, as A, with this one, as B. It is
	// zero for the first one, and where there are fewer samples than
	// rtcompare.MinimumDataPoints: Options.KindTime was too short for so many
	// builds.
	Against rtcompare.Estimate
}

const (
	// mostSets is about how many sets of instances share the time.
	mostSets = 101
	// fewestTurns is how often each structure has its turn in a set. The median
	// over them does not see a disturbance.
	fewestTurns = 5
)

// kinds measures sets of fresh instances for the time that the options give.
func (t *trial) kinds(ctx context.Context) ([][]KindCost, error) {
	samples := make([][kinds][]float64, len(t.subjects))
	start := clock.Now()
	for set := 0; set == 0 || clock.Now()-start < t.opt.KindTime; set++ {
		if err := t.kindSet(ctx, samples); err != nil {
			return nil, err
		}
		t.reversed = !t.reversed // so that none is always built last
	}
	all := make([][]KindCost, len(t.subjects))
	for i := range all {
		for kind, own := range samples[i] {
			if len(own) == 0 {
				continue
			}
			c, err := kindCost(samples[0][kind], own, i == 0)
			if err != nil {
				return nil, fmt.Errorf("%v of %s: %w", Kind(kind), subjectLabel(t.subjects[i], i), err)
			}
			c.Kind, c.Ops = Kind(kind), t.streams.ofKind(Kind(kind))
			all[i] = append(all[i], c)
		}
	}
	return all, nil
}

func kindCost(base, own []float64, first bool) (c KindCost, err error) {
	c = KindCost{NsPerOp: stat.Median(own), Samples: len(own)}
	if !first && len(own) >= rtcompare.MinimumDataPoints && stat.Median(base) > 0 && c.NsPerOp > 0 {
		c.Against, err = rtcompare.EstimateDifference(base, own, rtcompare.EstimateOptions{Paired: true})
	}
	return c, err
}

// kindSet builds one instance of each structure, primes them with a cycle, and
// adds a sample of each kind.
func (t *trial) kindSet(ctx context.Context, samples [][kinds][]float64) error {
	instances, err := t.open(ctx, t.order())
	if err != nil {
		return err
	}
	m := newKindMeter(t, instances)
	if err := m.prime(); err != nil {
		return err
	}
	start := clock.Now()
	for played := 0; played < len(m.windows) || m.turns < fewestTurns || clock.Now()-start < t.opt.KindTime/mostSets; {
		before := m.next
		if err := m.turn(ctx); err != nil {
			return err
		}
		played += 1 + (m.next+len(m.windows)-before-1)%len(m.windows)
	}
	for i := range instances {
		for kind, blocks := range m.blocks[i] {
			if len(blocks) > 0 {
				samples[i][kind] = append(samples[i][kind], stat.Median(blocks))
			}
		}
		instances[i].keep()
	}
	return nil
}
