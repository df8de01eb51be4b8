//go:build unix

package gobench

import (
	"context"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// probePaused tries a benchmark out batch by batch. It always lets it come to
// its end, where some say that they have failed.
func (b *Benchmark) probePaused(ctx context.Context, trial Trial) (found Probe, err error) {
	found = Probe{Driver: gobuild.Pausing, Leaked: -1}
	binary, err := b.Binary(ctx, trial.Slot.Layout, gobuild.Pausing)
	if err != nil {
		return found, err
	}
	s, err := b.openPaused(ctx, binary, trial.Slot)
	if err != nil {
		return found, err
	}
	found.Loops = s.loops
	if err := s.try(ctx, trial, &found); err != nil {
		_ = s.Close()
		return found, err
	}
	if err := s.Close(); err != nil {
		return found, err
	}
	found.Leaked, found.Parallel = s.leaked, s.parallel
	found.Bytes, found.Metrics = s.last.bytes, metricNames(s.last.metrics)
	found.SeparateMetrics = s.loops && len(found.Metrics) > 0
	if _, own := s.last.metrics["ns/op"]; own && s.loops {
		found.Reason = "it reports its own ns/op when its loop has ended"
	}
	return found, nil
}

// try finds the number of operations in a batch, and whether the time of one
// depends on it.
func (s *paused) try(ctx context.Context, trial Trial, found *Probe) error {
	n := int64(1)
	for {
		samples, err := s.samples(ctx, n, 2)
		if err != nil {
			return err
		}
		wall := min(samples[0].Wall, samples[1].Wall)
		found.N, found.NsPerOp = n, nsPerOp(samples, n)
		if wall >= int64(trial.Batch) || n >= largestN {
			break
		}
		const headroom, mostGrowth = 1.2, 100
		next := float64(n) * min(mostGrowth, headroom*float64(trial.Batch)/float64(max(1, wall)))
		n = min(max(n+1, int64(next)), largestN)
	}
	if s.loops {
		return nil // its function cannot know how many there will be
	}
	return s.settleNumber(ctx, found)
}

// settleNumber finds a number of operations from which on the time of one does
// not depend on it: the first ones after a setup run in cold caches. Where there
// is none that is short enough, found says so.
func (s *paused) settleNumber(ctx context.Context, found *Probe) error {
	for n := found.N; ; n *= dependenceFactor {
		pairs, err := s.pairs(ctx, n, dependencePairs)
		if err != nil {
			return err
		}
		if found.Reason = pairs.dependent(); found.Reason != "" && !pairs.obvious() {
			if pairs, err = s.pairs(ctx, n, moreDependencePairs); err != nil {
				return err
			}
			found.Reason = pairs.dependent()
		}
		if found.Reason == "" {
			found.N, found.NsPerOp = n, nsPerOp(pairs.few, n)
			return nil
		}
		if nsPerOp(pairs.few, n)*float64(n)*dependenceFactor > float64(longestBatch) || n > largestN/dependenceFactor/dependenceFactor {
			return nil
		}
	}
}

// pairs measures batches of n operations, each followed by one of ten times as
// many.
func (s *paused) pairs(ctx context.Context, n int64, count int) (numberPairs, error) {
	pairs := numberPairs{n: n}
	spent := int64(0)
	for range count {
		short, err := s.samples(ctx, n, 1)
		if err != nil {
			return pairs, err
		}
		long, err := s.samples(ctx, n*dependenceFactor, 1)
		if err != nil {
			return pairs, err
		}
		pairs.few, pairs.many = append(pairs.few, short...), append(pairs.many, long...)
		if spent += short[0].Wall + long[0].Wall; spent > int64(mostDependence) {
			break
		}
	}
	return pairs, nil
}

// samples runs batches with the counters read.
func (s *paused) samples(ctx context.Context, n int64, count int) ([]engine.Sample, error) {
	samples := make([]engine.Sample, count)
	for i := range samples {
		if err := s.Do(ctx, engine.Request{N: n, Counters: true}, &samples[i]); err != nil {
			return nil, err
		}
	}
	return samples, nil
}
