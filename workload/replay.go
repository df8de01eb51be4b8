package workload

import "github.com/rtcompare/rtcompare"

// Replay plays a cycle on one instance of a structure, for as long as a
// comparison lasts. Make one with [NewReplay]; goroutines must not share it.
type Replay struct {
	ops    []Op
	apply  func([]Op)
	cursor Cursor
	primed bool
}

// NewReplay returns a replay of ops, a whole cycle, on the structure that apply
// works on, which must not be nil. The structure has to hold what the cycle
// begins with.
func NewReplay(ops []Op, apply func([]Op)) *Replay {
	return &Replay{ops: ops, apply: apply}
}

// Prime plays one whole cycle, the first time it is called, and nothing later.
// On its first pass a structure still grows to the size that it will keep: tables
// are enlarged, free lists filled. That belongs to no steady state.
func (r *Replay) Prime() {
	if r.primed {
		return
	}
	r.primed = true
	r.cursor.Advance(r.ops, uint64(len(r.ops)), r.apply)
}

// Candidate returns a candidate whose operations are those of the cycle, one
// after the other. It primes the replay before its first batch. All candidates
// of one replay share its place in the cycle.
func (r *Replay) Candidate(name string) rtcompare.Candidate {
	return rtcompare.Candidate{Name: name, Setup: r.Prime, Batch: r.cursor.Batch(r.ops, r.apply)}
}

// Settle plays the rest of the cycle, untimed.
func (r *Replay) Settle() { r.cursor.Settle(r.ops, r.apply) }
