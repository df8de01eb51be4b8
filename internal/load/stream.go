package load

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// stream is an exchanger over connections of package net, with the same parser
// as the event loops. It has at most one connection per origin.
type stream struct {
	plan   *plan
	dialer net.Dialer
	buffer [16 << 10]byte
	parser parser

	mu    sync.Mutex // connections are closed from elsewhere when a run is cancelled
	conns []streamConn
}

// streamConn is an open connection.
type streamConn struct {
	net.Conn
	used     bool
	deadline time.Duration // what the connection's deadline was set to
}

func newStream(p *plan) exchanger {
	return &stream{plan: p, conns: make([]streamConn, len(p.origins)), dialer: net.Dialer{KeepAlive: -1}}
}

func (s *stream) exchange(ctx context.Context, o *outcome) (opened int64, again bool) {
	index := o.endpoint.origin
	c := s.get(index)
	for {
		reused := c.used
		if c.Conn == nil {
			var err *Error
			if c, err = s.open(ctx, index); err != nil {
				o.failure = err
				return opened, again
			}
			opened++
			if ctx.Err() != nil {
				// Whoever closed all connections may have come before this one.
				s.drop(index, &c)
				o.failure = errCancelled
				return opened, again
			}
		}
		failure := s.ask(&c, o)
		if failure == nil || !failure.early || !reused || again {
			o.failure = failure
			return opened, again
		}
		again = true
		c = streamConn{}
	}
}

// ask sends the request over a connection and reads the answer. It keeps or
// closes the connection.
func (s *stream) ask(c *streamConn, o *outcome) *Error {
	s.parser.begin(s.plan.head, s.plan.target.Check.wanted())
	if now := clock.Now(); c.deadline < now+s.plan.options.ReadTimeout {
		// A little later than asked for, so that few requests set it anew.
		limit := s.plan.options.ReadTimeout + s.plan.options.ReadTimeout/4
		c.deadline = now + limit
		_ = c.SetDeadline(time.Now().Add(limit)) // a closed connection says so below
	}
	_, writeErr := c.Write(o.endpoint.request)
	leftOver, failure := s.read(c)
	o.received = s.parser.received
	if failure != nil {
		if failure == errNoAnswer && writeErr != nil {
			failure = classify(writeErr, false)
		}
		s.drop(o.endpoint.origin, c)
		return failure
	}
	o.status = s.parser.status
	if !s.parser.reusable || leftOver || writeErr != nil || s.plan.closeEach {
		s.drop(o.endpoint.origin, c)
	} else {
		c.used = true
		s.put(o.endpoint.origin, *c)
	}
	return s.plan.judge(s.parser.status, s.parser.body)
}

// read reads until the answer is complete.
func (s *stream) read(c *streamConn) (leftOver bool, failure *Error) {
	for s.parser.state != complete {
		n, err := c.Read(s.buffer[:])
		if n > 0 {
			rest, failure := s.parser.feed(s.buffer[:n])
			if failure != nil {
				return false, failure
			}
			leftOver = len(rest) > 0
		}
		if err == nil || s.parser.state == complete {
			continue
		}
		if isEnd(err) {
			return false, s.parser.end()
		}
		return false, classify(err, s.parser.received > 0)
	}
	return leftOver, nil
}

// open connects to an origin.
func (s *stream) open(ctx context.Context, index int) (streamConn, *Error) {
	ctx, cancel := context.WithTimeout(ctx, s.plan.options.ConnectTimeout)
	defer cancel()
	conn, err := s.dial(ctx, s.plan.origins[index])
	if err != nil {
		failure := classify(err, false)
		if failure == errTimeout {
			failure = errConnectTimeout
		}
		return streamConn{}, failure
	}
	c := streamConn{Conn: conn}
	s.put(index, c)
	return c, nil
}

// dial connects to the first address of an origin that answers, beginning with
// the one that did last.
func (s *stream) dial(ctx context.Context, o *origin) (net.Conn, error) {
	if o.unix != "" {
		conn, err := s.dialer.DialContext(ctx, "unix", o.unix)
		return s.secured(ctx, o, conn, err)
	}
	first := int(o.preferred.Load())
	var conn net.Conn
	var err error
	for i := range o.addresses {
		at := (first + i) % len(o.addresses)
		if conn, err = s.dialer.DialContext(ctx, "tcp", o.addresses[at].String()); err == nil {
			o.preferred.Store(int32(at))
			break
		}
	}
	return s.secured(ctx, o, conn, err)
}

// secured makes a connection to a TLS origin a TLS one.
func (s *stream) secured(ctx context.Context, o *origin, conn net.Conn, err error) (net.Conn, error) {
	if err != nil || !o.secure {
		return conn, err
	}
	secure := tls.Client(conn, s.plan.options.TLS.config(o.host))
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}

func (s *stream) get(index int) streamConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns[index]
}

func (s *stream) put(index int, c streamConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[index] = c
}

// drop closes a connection and forgets it.
func (s *stream) drop(index int, c *streamConn) {
	_ = c.Close()
	s.put(index, streamConn{})
}

func (s *stream) disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.conns {
		if s.conns[i].Conn != nil {
			_ = s.conns[i].Close()
			s.conns[i] = streamConn{}
		}
	}
}
