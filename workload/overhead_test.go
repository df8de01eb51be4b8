package workload

import (
	"testing"
)

// sink keeps the compiler from dropping the loops.
var sink uint64

// sumRun is about the cheapest Apply there can be.
func sumRun(run []Op) {
	s := sink
	for i := range run {
		s += run[i].Key ^ uint64(run[i].Kind)
	}
	sink = s
}

// The difference between these two is what a replay adds to an operation.
func BenchmarkPlainWalk(b *testing.B) {
	ops := numbered(2000)
	b.ResetTimer()
	for left := b.N; left > 0; left -= len(ops) {
		sumRun(ops[:min(left, len(ops))])
	}
}

func BenchmarkReplayOverhead(b *testing.B) {
	for name, bind := range map[string]func(ops []Op) func([]Op){
		"plain":   func([]Op) func([]Op) { return sumRun },
		"subject": boundSum,
	} {
		b.Run(name, func(b *testing.B) {
			ops := numbered(2000)
			batch := NewReplay(ops, bind(ops)).Candidate("").Batch
			const size = 1000 // about 20 µs with an operation of 20 ns
			b.ResetTimer()
			for left := b.N; left > 0; left -= size {
				batch(uint64(min(left, size)))
			}
		})
	}
}

func boundSum(ops []Op) func([]Op) {
	f := Bind(Structure[int]{New: func() int { return 0 }, Apply: func(_ int, run []Op) { sumRun(run) }}).prepare([][]Op{ops})
	return f.open().apply(0)
}
