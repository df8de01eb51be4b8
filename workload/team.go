package workload

import "github.com/rtcompare/rtcompare"

// team plays several replays on one structure at the same time. The first one
// runs in the goroutine that times the batch, each other in one of its own,
// which waits between batches.
type team struct {
	replays []*Replay
	// orders tell the goroutines of all replays but the first how many
	// operations to play; finished is what became of them.
	orders   []chan uint64
	finished chan error
}

func newTeam(replays []*Replay) *team {
	t := &team{replays: replays, finished: make(chan error, len(replays))}
	for _, r := range replays[1:] {
		orders := make(chan uint64, 1)
		t.orders = append(t.orders, orders)
		go func() {
			for n := range orders {
				t.finished <- r.advance(n)
			}
		}()
	}
	return t
}

// stop ends the goroutines. The team must not be used any more.
func (t *team) stop() {
	for _, orders := range t.orders {
		close(orders)
	}
}

// Candidate returns a candidate whose batch of n operations is divided evenly
// among the replays.
func (t *team) Candidate(name string) rtcompare.Candidate {
	return rtcompare.Candidate{Name: name, Setup: t.prime, Batch: t.batch}
}

func (t *team) prime() {
	for _, r := range t.replays {
		r.Prime()
	}
}

// Settle plays the rest of each cycle, one after the other.
func (t *team) Settle() {
	for _, r := range t.replays {
		r.Settle()
	}
}

func (t *team) batch(n uint64) {
	count := uint64(len(t.replays))
	share := func(i int) uint64 {
		if uint64(i) < n%count {
			return n/count + 1
		}
		return n / count
	}
	for i, orders := range t.orders {
		orders <- share(i + 1)
	}
	err := t.replays[0].advance(share(0))
	for range t.orders {
		if other := <-t.finished; err == nil {
			err = other
		}
	}
	if err != nil {
		panic(err) // in the goroutine that measures, which returns it as an error
	}
}

// advance plays n operations. A panic in another goroutine would end the whole
// program, so it becomes an error here.
func (r *Replay) advance(n uint64) error {
	return guard("Apply", func() { r.cursor.Advance(r.ops, n, r.apply) })
}
