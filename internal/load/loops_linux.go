package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// loops is the driver with one event loop per thread.
type loops struct {
	all   []*eventLoop
	ended sync.WaitGroup // those whose goroutine has ended
}

func newLoops(p *plan) (driver, error) {
	d := &loops{}
	for i := range p.options.Loops {
		lanes := p.options.Concurrency / p.options.Loops
		if i < p.options.Concurrency%p.options.Loops {
			lanes++
		}
		l, err := newEventLoop(p, lanes)
		if err != nil {
			return nil, errors.Join(err, d.close())
		}
		d.all = append(d.all, l)
		d.ended.Go(l.serve)
	}
	return d, nil
}

func (d *loops) run(ctx context.Context, r *run) {
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		r.cancelled.Store(true)
		for _, l := range d.all {
			l.wakeUp()
		}
	})
	var sending sync.WaitGroup
	sending.Add(len(d.all))
	for _, l := range d.all {
		l.work <- assignment{run: r, done: sending.Done}
	}
	sending.Wait()
	if !stop() {
		<-woken // it must not write to files that are closed by then
	}
}

// cpu is that of the loops' threads, read at the ends of their runs.
func (d *loops) cpu() (used time.Duration, ok bool) {
	for _, l := range d.all {
		used += l.cpu
	}
	return used, true
}

func (d *loops) processors() int { return len(d.all) }

func (d *loops) statistics() []*statistics {
	all := make([]*statistics, len(d.all))
	for i, l := range d.all {
		all[i] = &l.stats
	}
	return all
}

func (d *loops) close() error {
	for _, l := range d.all {
		close(l.work)
	}
	d.ended.Wait()
	return nil
}

// assignment is a run for a loop, and what to call at its end.
type assignment struct {
	run  *run
	done func()
}

// eventLoop sends the requests of its lanes from one thread. Everything in it
// belongs to that thread while a run lasts.
type eventLoop struct {
	plan    *plan
	work    chan assignment
	epoll   int
	wake    int // an eventfd that ends waiting
	lanes   []*lane
	free    []*lane   // lanes without a request, last used last
	sockets []*socket // by key
	events  [128]syscall.EpollEvent
	buffer  [64 << 10]byte
	stats   statistics
	cpu     time.Duration

	run         *run
	now         time.Duration // the clock as it was read last
	busy        int           // lanes with a request in flight
	next        ticket
	pending     bool      // next is claimed and waits for its time
	unconnected []*socket // with a request that waits for the connection
	connecting  []*socket // those of them whose turn it is
	crowded     bool      // a Unix socket had no room
	swept       time.Duration
	sweepEvery  time.Duration
	outcome     outcome
}

// lane is one of the concurrent clients: at most one request in flight, and a
// socket for every origin it has asked.
type lane struct {
	sockets  []*socket
	current  *socket // of the request in flight, else nil
	endpoint *endpoint
	ticket   ticket
	sent     time.Duration
	again    bool // the request is on its second connection
}

func newEventLoop(p *plan, lanes int) (*eventLoop, error) {
	l := &eventLoop{plan: p, work: make(chan assignment), epoll: -1, wake: -1, sweepEvery: p.sweepEvery()}
	var err error
	if l.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return nil, fmt.Errorf("making an event loop: %w", err)
	}
	if l.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		l.closeFiles()
		return nil, fmt.Errorf("making an event loop: %w", err)
	}
	event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: wakeKey}
	if err := syscall.EpollCtl(l.epoll, syscall.EPOLL_CTL_ADD, l.wake, &event); err != nil {
		l.closeFiles()
		return nil, fmt.Errorf("making an event loop: %w", err)
	}
	for range lanes {
		one := &lane{sockets: make([]*socket, len(p.origins))}
		for i, o := range p.origins {
			s := &socket{key: int32(len(l.sockets)), fd: -1, origin: o, lane: one}
			s.parser.partial = make([]byte, 0, 1<<10)
			l.sockets = append(l.sockets, s)
			one.sockets[i] = s
		}
		l.lanes = append(l.lanes, one)
		l.free = append(l.free, one)
	}
	return l, nil
}

// wakeKey marks the eventfd among the keys of the sockets.
const wakeKey = -1

// wakeUp ends the loop's waiting; any goroutine may call it.
func (l *eventLoop) wakeUp() {
	one := [8]byte{1}
	_, _ = syscall.Write(l.wake, one[:]) // full means that it wakes anyway
}

// serve carries out runs until there are no more. It keeps its thread to
// itself: system calls then never move the work, and the thread's processor
// time is that of the loop.
func (l *eventLoop) serve() {
	runtime.LockOSThread() // and never unlocked: the thread ends with the loop
	// Waiting for a planned time ends at that time, not up to 50 µs later.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	for a := range l.work {
		before := threadCPU()
		l.carryOut(a.run)
		l.cpu += threadCPU() - before
		a.done()
	}
	for _, s := range l.sockets {
		l.closeSocket(s)
	}
	l.closeFiles()
}

func (l *eventLoop) closeFiles() {
	for _, fd := range []int{l.epoll, l.wake} {
		if fd >= 0 {
			_ = syscall.Close(fd)
		}
	}
}

// threadCPU is the processor time of the calling thread.
func threadCPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(unix.RUSAGE_THREAD, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
