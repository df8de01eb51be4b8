// Package trial repeats simulated comparisons and makes what they are judged
// from.
package trial

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// Plan says how trials are repeated.
type Plan struct {
	Seed uint64
	// Parallel is the number of goroutines. Results do not depend on it.
	Parallel int
	// Progress, where set, is told how many trials of a named batch are done.
	// It may be called by several goroutines at once.
	Progress func(name string, done, total int)
}

// Run calls one for every trial and returns the results in order. Each trial
// has a generator of its own, whose seed depends on the plan's, on the name
// and on the number of the trial only.
func Run[T any](p Plan, name string, trials int, one func(r *rand.Rand) T) []T {
	results := make([]T, trials)
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range max(1, p.Parallel) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < trials; i = int(next.Add(1)) - 1 {
				results[i] = one(p.generator(name, i))
				if p.Progress != nil {
					p.Progress(name, int(done.Add(1)), trials)
				}
			}
		})
	}
	workers.Wait()
	return results
}

// Generator is the generator of one trial.
func (p Plan) generator(name string, trial int) *rand.Rand {
	label := fnv.New64a()
	label.Write([]byte(name))
	start := p.Seed ^ label.Sum64()
	return rand.New(rand.NewPCG(splitmix(start+2*uint64(trial)), splitmix(start+2*uint64(trial)+1)))
}

// splitmix is one round of splitmix64: neighbouring seeds give unrelated
// numbers.
func splitmix(seed uint64) uint64 {
	z := seed + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Share is the share of the results for which is holds.
func Share[T any](results []T, is func(T) bool) float64 {
	count := 0
	for _, result := range results {
		if is(result) {
			count++
		}
	}
	return float64(count) / float64(max(1, len(results)))
}

// Mean is the mean of a number of every result.
func Mean[T any](results []T, of func(T) float64) float64 {
	sum := 0.0
	for _, result := range results {
		sum += of(result)
	}
	return sum / float64(max(1, len(results)))
}
