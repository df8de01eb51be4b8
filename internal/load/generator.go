package load

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rtcompare/rtcompare/internal/clock"
)

// Result is what one run measured.
type Result struct {
	// Wall is how long the counted requests took. In the closed loop it runs
	// from the last answer of the lead, or without a lead or where whole runs
	// are timed from the first request, to the last counted answer. In the open
	// loop it begins at the planned time of the first counted request.
	Wall time.Duration
	// Counted are the requests that were asked for, Outside those of the lead
	// and those that were on their way when the last counted answer came.
	Counted, Outside Tally
	// Opened is the number of connections that were opened, Retries how often a
	// request was sent again because a connection that had been used before
	// was dead.
	Opened, Retries int64
	// CPU is the processor time that sending took in the whole run, -1 where it
	// is not known, and Elapsed how long the run took, lead and end included.
	CPU, Elapsed time.Duration
	// Rate is how many counted requests were sent per second in the open loop,
	// from the planned time of the first to the sending of the last, else 0. It
	// falls behind the planned rate where all connections were busy.
	Rate float64
}

// Generator sends requests to one target. Its methods are called by one
// goroutine at a time.
type Generator struct {
	plan   *plan
	driver driver
	runs   uint64
	closed bool
}

// driver is a way to send requests.
type driver interface {
	// run sends requests until the run is over and all that were sent are
	// answered, or until it is cancelled.
	run(ctx context.Context, r *run)
	// cpu is the processor time used for sending so far.
	cpu() (used time.Duration, ok bool)
	// processors is how many processors sending can keep busy.
	processors() int
	statistics() []*statistics
	// close closes all connections and returns when nothing runs any more.
	close() error
}

// errClosed is the error of a run of a closed generator.
var errClosed = errors.New("the generator is closed")

// New prepares a generator. Names are looked up here; connections are opened by
// the first run. The generator has to be closed.
func New(ctx context.Context, target Target, options Options) (*Generator, error) {
	p, err := newPlan(ctx, target, options)
	if err != nil {
		return nil, err
	}
	d, err := newDriver(p)
	if err != nil {
		return nil, err
	}
	return &Generator{plan: p, driver: d}, nil
}

// newDriver chooses how requests are sent.
func newDriver(p *plan) (driver, error) {
	switch {
	case p.options.HTTP2 || p.options.Proxy != "":
		return newClientDriver(p)
	case p.options.Portable || p.secure():
		return newWorkers(p, newStream), nil
	}
	return newLoops(p)
}

// Run sends requests at full concurrency, or at the planned rate, until n of
// them are answered after the first lead ones, and measures the n. Requests that
// fail count like others; what failed is in the result. With [Options.Whole] the
// lead is a run of its own before the clock starts.
//
// When ctx ends all connections are closed and the error wraps its cause.
func (g *Generator) Run(ctx context.Context, lead, n int64) (Result, error) {
	if g.closed {
		return Result{}, errClosed
	}
	if lead < 0 || n < 1 {
		return Result{}, fmt.Errorf("a run of %d requests after %d: give at least one, after none or more", n, lead)
	}
	if g.plan.options.Whole && lead > 0 {
		return g.warmed(ctx, lead, n)
	}
	return g.once(ctx, lead, n)
}

// warmed is a whole run after another that leads it in and counts for nothing.
func (g *Generator) warmed(ctx context.Context, lead, n int64) (Result, error) {
	warm, err := g.once(ctx, lead, 0)
	if err != nil {
		return warm, err
	}
	result, err := g.once(ctx, 0, n)
	result.Outside.Add(warm.Outside)
	result.Opened += warm.Opened
	result.Retries += warm.Retries
	result.Elapsed += warm.Elapsed
	if result.CPU >= 0 && warm.CPU >= 0 {
		result.CPU += warm.CPU
	}
	return result, err
}

// once is one run of the driver.
func (g *Generator) once(ctx context.Context, lead, n int64) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("sending requests: %w", context.Cause(ctx))
	}
	before, known := g.driver.cpu()
	start := clock.Now()
	r := newRun(g.plan.options, lead, n, g.runs, start)
	g.runs++
	g.driver.run(ctx, r)
	result := Result{Wall: r.wall(), CPU: -1, Elapsed: clock.Now() - start}
	if after, ok := g.driver.cpu(); ok && known {
		result.CPU = after - before
	}
	var last time.Duration
	var sent int64
	for _, s := range g.driver.statistics() {
		result.Counted.Add(s.counted.tally())
		result.Outside.Add(s.outside.tally())
		result.Opened += s.opened
		result.Retries += s.retries
		last = max(last, s.lastSent)
		sent += s.sent
		s.opened, s.retries, s.sent, s.lastSent = 0, 0, 0, 0
	}
	if first := time.Duration(r.begin.Load()); sent > 1 && last > first {
		result.Rate = float64(sent-1) / (last - first).Seconds()
	}
	if ctx.Err() != nil && r.done.Load() < lead+n {
		return result, fmt.Errorf("sending requests: %w", context.Cause(ctx))
	}
	return result, nil
}

// Latencies returns the latencies of all counted requests that got a complete
// answer, whatever its status, in nanoseconds, since it was called last. In the
// open loop response counts from the planned time and service from when the
// request was sent; in the closed loop service is nil. Both share nothing with
// the generator.
func (g *Generator) Latencies() (response, service *hdrhistogram.Histogram) {
	var all, served recorder
	for _, s := range g.driver.statistics() {
		s.response.moveInto(&all)
		s.service.moveInto(&served)
	}
	if all.histogram == nil {
		all.histogram = newHistogram(histogramTop)
	}
	if g.plan.options.Rate > 0 && served.histogram == nil {
		served.histogram = newHistogram(histogramTop)
	}
	return all.histogram, served.histogram
}

// Processors is how many processors sending can keep busy: the number of event
// loops, or where there are none that of the processors Go may use. A generator
// that used more than nine tenths of them measured itself.
func (g *Generator) Processors() int { return g.driver.processors() }

// Place is an address that requests go to.
type Place struct {
	// Address is where one host listens; it is not valid for a Unix socket.
	Address netip.AddrPort
	// Socket is the path of a Unix socket, or empty.
	Socket string
}

// Places returns where the requests go, as far as it is known: behind a proxy it
// is not.
func (g *Generator) Places() []Place {
	var places []Place
	for _, o := range g.plan.origins {
		if o.unix != "" {
			places = append(places, Place{Socket: o.unix})
		}
		for _, address := range o.addresses {
			places = append(places, Place{Address: address})
		}
	}
	return places
}

// Concurrency is the number of connections.
func (g *Generator) Concurrency() int { return g.plan.options.Concurrency }

// Close closes all connections. It may be called more than once.
func (g *Generator) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	return g.driver.close()
}
