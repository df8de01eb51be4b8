package load

import "time"

// sweepEvery is how often timeouts are looked for: they are noticed at most a
// quarter late.
func (p *plan) sweepEvery() time.Duration {
	shorter := min(p.options.ReadTimeout, p.options.ConnectTimeout)
	return min(max(shorter/4, time.Millisecond), 250*time.Millisecond)
}

// sweep ends requests that took too long, and tries again to connect where a
// Unix socket had no room.
func (l *eventLoop) sweep() {
	if l.now-l.swept < l.sweepEvery && !l.crowded {
		return
	}
	l.swept, l.crowded = l.now, false
	for _, one := range l.lanes {
		s := one.current
		switch {
		case s == nil || s.state == closedSocket:
		case l.now >= s.deadline && s.state == connecting:
			l.fail(s, errConnectTimeout)
		case l.now >= s.deadline:
			l.fail(s, errTimeout)
		case s.state == connecting && s.fd < 0:
			l.tryConnect(s)
		}
	}
}

// abandon closes every connection and forgets the requests in flight.
func (l *eventLoop) abandon() {
	for _, s := range l.sockets {
		l.closeSocket(s)
	}
	l.free = l.free[:0]
	for _, one := range l.lanes {
		one.current = nil
		l.free = append(l.free, one)
	}
	l.busy, l.pending, l.unconnected = 0, false, l.unconnected[:0]
}

// dropDead closes connections that the server closed between two runs. Sending
// over them would cost a second try, and an answer that nobody asked for would be
// taken for that to the next request.
func (l *eventLoop) dropDead() {
	for n := len(l.events); n == len(l.events); {
		n = rawPoll(l.epoll, l.events[:])
		for i := range l.events[:n] {
			l.handle(&l.events[i])
		}
	}
}
