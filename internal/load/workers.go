package load

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// exchanger sends one request at a time and reads the answer.
type exchanger interface {
	// exchange fills in status, received and failure of the outcome, and
	// returns how many connections it opened and whether it sent the request
	// once more. It ends soon after ctx.
	exchange(ctx context.Context, o *outcome) (opened int64, again bool)
	// disconnect closes the connections. It may be called by another goroutine
	// while exchange is running, which then ends.
	disconnect()
}

// workers is the driver with a goroutine per connection.
type workers struct {
	plan       *plan
	exchangers []exchanger
	shards     []*statistics
	finished   func() // called once, in close; may be nil
	// pace is held by the one goroutine that waits for a planned time; the other
	// free ones wait for their turn to wait.
	pace sync.Mutex
}

// mostShards bounds the memory for histograms; the goroutines that share one
// seldom meet.
const mostShards = 8

func newWorkers(p *plan, open func(*plan) exchanger) *workers {
	w := &workers{plan: p}
	for range p.options.Concurrency {
		w.exchangers = append(w.exchangers, open(p))
	}
	for range min(mostShards, p.options.Concurrency) {
		w.shards = append(w.shards, new(statistics))
	}
	return w
}

func (w *workers) run(ctx context.Context, r *run) {
	disconnected := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(disconnected)
		r.cancelled.Store(true)
		for _, e := range w.exchangers {
			e.disconnect()
		}
	})
	var sending sync.WaitGroup
	for i, e := range w.exchangers {
		sending.Go(func() { w.work(ctx, r, e, w.shards[i%len(w.shards)]) })
	}
	sending.Wait()
	if !stop() {
		<-disconnected // or it would close connections of the next run
	}
}

// work sends requests one after the other until nothing is left to send.
func (w *workers) work(ctx context.Context, r *run, e exchanger, s *statistics) {
	now := clock.Now()
	var o outcome // outside of the loop: it is made once
	for {
		t, sent, ok := w.next(ctx, r, now)
		if !ok || ctx.Err() != nil {
			return
		}
		o = outcome{endpoint: w.plan.take(), ticket: t, sent: sent}
		opened, again := e.exchange(ctx, &o)
		if ctx.Err() != nil {
			return
		}
		now = clock.Now()
		o.end = now
		s.Lock()
		s.opened += opened
		if again {
			s.retries++
		}
		s.add(&o, r.finish(t, now), r.schedule != nil, w.plan.target.Method)
		s.Unlock()
	}
}

func (w *workers) cpu() (used time.Duration, ok bool) {
	if w.plan.options.ProcessCPU == nil {
		return 0, false
	}
	return w.plan.options.ProcessCPU()
}

func (w *workers) processors() int {
	return min(runtime.GOMAXPROCS(0), len(w.exchangers))
}

func (w *workers) statistics() []*statistics { return w.shards }

func (w *workers) close() error {
	for _, e := range w.exchangers {
		e.disconnect()
	}
	if w.finished != nil {
		w.finished()
	}
	return nil
}
