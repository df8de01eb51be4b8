package load

import (
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// carryOut sends and receives until the run is over for this loop.
func (l *eventLoop) carryOut(r *run) {
	l.run, l.pending = r, false
	l.now = clock.Now()
	l.swept = l.now
	l.dropDead()
	l.fill()
	for l.busy > 0 || l.pending {
		if r.cancelled.Load() {
			l.abandon()
			break
		}
		l.connectAll()
		n := rawPoll(l.epoll, l.events[:])
		if n == 0 {
			n = l.wait()
		}
		for i := range l.events[:n] {
			l.handle(&l.events[i])
		}
		if r.schedule != nil {
			l.now = clock.Now()
			l.fill()
		}
		l.sweep()
	}
	l.run = nil
}

// wait waits for events, the next planned time or the next sweep, and returns
// how many events there are.
func (l *eventLoop) wait() (n int) {
	l.now = clock.Now()
	limit := l.swept + l.sweepEvery - l.now
	if l.crowded {
		limit = min(limit, time.Millisecond)
	}
	if l.pending {
		limit = min(limit, l.next.planned-l.now)
	}
	switch {
	case limit <= 0 || len(l.unconnected) > 0:
		return 0
	case l.pending:
		waitFor(l.epoll, limit)
		n = rawPoll(l.epoll, l.events[:])
	default:
		milliseconds := int(limit/time.Millisecond) + 1
		n, _ = syscall.EpollWait(l.epoll, l.events[:], milliseconds) // a signal is an early return
	}
	l.now = clock.Now()
	return max(0, n)
}

// fill gives requests to free lanes for as long as there are both. In the open
// loop it keeps the next request until its time has come; a lane waits for it.
func (l *eventLoop) fill() {
	for len(l.free) > 0 {
		if !l.pending {
			if l.next, l.pending = l.run.claim(l.now); !l.pending {
				return
			}
		}
		if l.next.planned > l.now {
			return
		}
		l.pending = false
		one := l.free[len(l.free)-1]
		l.free = l.free[:len(l.free)-1]
		l.start(one, l.next)
	}
}

// start begins a request on a lane.
func (l *eventLoop) start(one *lane, t ticket) {
	l.busy++
	one.ticket, one.sent, one.again = t, l.now, false
	one.endpoint = l.plan.take()
	s := one.sockets[one.endpoint.origin]
	one.current = s
	s.parser.begin(l.plan.head, l.plan.target.Check.wanted())
	if s.state == closedSocket {
		l.unconnected = append(l.unconnected, s)
		return
	}
	l.send(s)
}

// connectAll opens the connections that requests wait for. A connection that is
// refused at once leads to the next request, which waits for its turn here.
func (l *eventLoop) connectAll() {
	l.unconnected, l.connecting = l.connecting[:0], l.unconnected
	for _, s := range l.connecting {
		l.connect(s)
	}
}

// send writes the request of the socket's lane.
func (l *eventLoop) send(s *socket) {
	s.parser.begin(l.plan.head, l.plan.target.Check.wanted())
	s.deadline = l.now + l.plan.options.ReadTimeout
	s.written = 0
	l.write(s)
}

// write writes as much of the request as there is room for. A connection that
// is dead says so when it is read, where an answer may still lie.
func (l *eventLoop) write(s *socket) {
	request := s.lane.endpoint.request
	n, number := rawWrite(s.fd, request[s.written:])
	if number != 0 && number != syscall.EAGAIN {
		s.written = len(request)
	}
	s.written += n
	l.watchWriting(s, s.written < len(request))
}

// handle takes one event.
func (l *eventLoop) handle(event *syscall.EpollEvent) {
	if event.Fd == wakeKey {
		var ignored [8]byte
		_, _ = syscall.Read(l.wake, ignored[:]) // its value says nothing
		return
	}
	s := l.sockets[event.Fd]
	if s.generation != event.Pad {
		return // of a connection that is closed
	}
	if s.state == connecting {
		l.now = clock.Now()
		l.connectEnded(s)
		return
	}
	if s.lane.current != s {
		l.closeSocket(s) // nothing was asked, so it can only be the end
		return
	}
	if event.Events&syscall.EPOLLOUT != 0 && s.written < len(s.lane.endpoint.request) {
		l.write(s)
	}
	if event.Events&^syscall.EPOLLOUT != 0 {
		l.receive(s)
	}
}

// receive reads what is there. Its one clock read ends this request and begins
// the next.
func (l *eventLoop) receive(s *socket) {
	for range mostReads {
		n, number := rawRead(s.fd, l.buffer[:])
		if number == syscall.EAGAIN {
			return
		}
		l.now = clock.Now()
		switch {
		case number != 0:
			l.fail(s, fromErrno(number, s.parser.received > 0))
			return
		case n == 0:
			l.ended(s)
			return
		}
		rest, failure := s.parser.feed(l.buffer[:n])
		switch {
		case failure != nil:
			l.fail(s, failure)
			return
		case s.parser.state == complete:
			l.answered(s, s.parser.reusable && len(rest) == 0)
			return
		case n < len(l.buffer):
			return
		}
	}
}

// mostReads bounds what is read from one connection before the others have
// their turn. A read that does not fill the buffer is the last in any case.
const mostReads = 16

// ended is told that the server closed the connection.
func (l *eventLoop) ended(s *socket) {
	if failure := s.parser.end(); failure != nil {
		l.fail(s, failure)
		return
	}
	l.answered(s, false)
}

// answered is told that the answer is complete.
func (l *eventLoop) answered(s *socket, reusable bool) {
	if !reusable || l.plan.closeEach || s.written < len(s.lane.endpoint.request) {
		l.closeSocket(s)
	}
	s.used = true
	l.finish(s, s.parser.status, l.plan.judge(s.parser.status, s.parser.body))
}

// fail closes the socket, and ends the request or sends it once more: where a
// connection that had been used before died without a word, the server had
// closed it before it saw the request.
func (l *eventLoop) fail(s *socket, failure *Error) {
	reused := s.used
	l.closeSocket(s)
	if failure.early && reused && !s.lane.again {
		s.lane.again = true
		s.used = false
		l.stats.retries++
		l.unconnected = append(l.unconnected, s)
		return
	}
	l.finish(s, 0, failure)
}

// finish ends the lane's request and gives it the next one.
func (l *eventLoop) finish(s *socket, status int, failure *Error) {
	one := s.lane
	one.current = nil
	l.busy--
	l.outcome = outcome{
		status: status, received: s.parser.received, failure: failure,
		endpoint: one.endpoint, ticket: one.ticket, sent: one.sent, end: l.now,
	}
	s.parser.received = 0
	l.stats.add(&l.outcome, l.run.finish(one.ticket, l.now), l.run.schedule != nil, l.plan.target.Method)
	if l.run.schedule == nil && !l.run.cancelled.Load() {
		if t, ok := l.run.claim(l.now); ok {
			l.start(one, t)
			return
		}
	}
	l.free = append(l.free, one)
}
