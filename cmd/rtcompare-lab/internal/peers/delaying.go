package peers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"sync"
	"time"
)

// delaying is a server that holds back every so many answers for an exact time,
// and notes when every request came and for how long it had it.
type delaying struct {
	every int64
	delay time.Duration
	base  time.Time

	mu     sync.Mutex
	count  int64
	served []served
}

// served is one request: how long the server had it, and how long it took from
// its arrival to that of the connection's next one, which a client sends as soon
// as it has the answer. The second is the first and the way to the client and
// back.
type served struct {
	held, cycle time.Duration
	delayed     bool
}

// delayingReport is what a delaying server has done since the last report.
type delayingReport struct {
	Requests, Delayed int64
	// HeldFrom and HeldTo are the shortest and the longest time that a delayed
	// answer was held back.
	HeldFrom, HeldTo time.Duration
	// Way is the median of the way to the client and back, Held holds the
	// quantiles of the time in the server and Cycle those of the whole cycle.
	Way         time.Duration
	Held, Cycle [len(recorderQuantiles)]time.Duration
}

// recorderQuantiles are compared, in percent.
var recorderQuantiles = [3]float64{50, 95, 99}

func runDelaying(in io.Reader, out io.Writer, every int64, delay time.Duration) error {
	if every < 1 || delay <= 0 {
		return fmt.Errorf("a delaying server needs a count and a delay above 0, not %d and %v", every, delay)
	}
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return fmt.Errorf("starting a delaying server: %w", err)
	}
	defer func() { _ = listener.Close() }()
	d := &delaying{every: every, delay: delay, base: time.Now()}
	go func() {
		for {
			connection, err := listener.AcceptTCP()
			if err != nil {
				return
			}
			go d.serve(connection)
		}
	}()
	return answerReports(in, out, listener.Addr().String(), func() any { return d.report() })
}

func (d *delaying) now() time.Duration { return time.Since(d.base) }

// serve answers the requests of one connection. The first is left out: it also
// opened the connection; so is the last, which none follows.
func (d *delaying) serve(connection *net.TCPConn) {
	defer func() { _ = connection.Close() }()
	if err := stampArrivals(connection); err != nil {
		return
	}
	var buffer [4096]byte
	var before served
	var arrived time.Duration
	for number := 0; ; number++ {
		at, err := readRequest(connection, buffer[:])
		if err != nil {
			return
		}
		read, delayed := d.now(), d.isDelayed()
		if number > 1 {
			before.cycle = at - arrived
			d.note(before)
		}
		arrived = at
		if delayed {
			waitUntil(d.now, read+d.delay)
		}
		before = served{held: d.now() - read, delayed: delayed}
		if _, err := connection.Write(smallAnswer); err != nil {
			return
		}
	}
}

func (d *delaying) note(s served) {
	d.mu.Lock()
	d.served = append(d.served, s)
	d.mu.Unlock()
}

func (d *delaying) isDelayed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	return d.count%d.every == 0
}

// readRequest reads the head of a request without a body, the only one on its
// way, and returns when it arrived.
func readRequest(connection *net.TCPConn, buffer []byte) (arrived time.Duration, err error) {
	for length := 0; length < len(buffer); {
		n, at, err := readStamped(connection, buffer[length:])
		if err != nil {
			return 0, err
		}
		if length += n; bytes.HasSuffix(buffer[:length], []byte("\r\n\r\n")) {
			return at, nil
		}
	}
	return 0, errors.New("the head of a request is too long")
}

// dayClock is the clock that kernels stamp arrivals with.
func dayClock() time.Duration { return time.Duration(time.Now().UnixNano()) }

// spinFor is how long before the end of a wait a timer is not trusted any more.
const spinFor = 2 * time.Millisecond

func waitUntil(now func() time.Duration, end time.Duration) {
	if long := end - now() - spinFor; long > 0 {
		time.Sleep(long)
	}
	for now() < end {
	}
}

func (d *delaying) report() delayingReport {
	d.mu.Lock()
	all := d.served
	d.served, d.count = nil, 0
	d.mu.Unlock()
	report := delayingReport{Requests: int64(len(all)), HeldFrom: math.MaxInt64}
	var held, cycles, ways []time.Duration
	for _, s := range all {
		held, cycles, ways = append(held, s.held), append(cycles, s.cycle), append(ways, s.cycle-s.held)
		if s.delayed {
			report.Delayed++
			report.HeldFrom, report.HeldTo = min(report.HeldFrom, s.held), max(report.HeldTo, s.held)
		}
	}
	for _, series := range [][]time.Duration{held, cycles, ways} {
		slices.Sort(series)
	}
	report.Way = nearest(ways, 50)
	for i, percent := range recorderQuantiles {
		report.Held[i], report.Cycle[i] = nearest(held, percent), nearest(cycles, percent)
	}
	return report
}

// nearest is the quantile of sorted values by the nearest rank, as histograms
// have it.
func nearest(sorted []time.Duration, percent float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return sorted[min(len(sorted), max(1, rank))-1]
}
