package load

import (
	"net"
	"strconv"
	"syscall"
	"time"
)

// socketState is what a socket is doing.
type socketState uint8

const (
	closedSocket socketState = iota
	connecting
	connected
)

// socket is a connection of a lane to one origin, opened when it is needed.
type socket struct {
	key, generation int32 // what events carry
	fd              int
	state           socketState
	origin          *origin
	lane            *lane
	address         int // index of the address tried
	tried           int // addresses tried in vain
	used            bool
	wantWrite       bool
	written         int // bytes of the request that are out
	parser          parser
	deadline        time.Duration
}

// connect opens the socket, or begins to. The request follows when it is open.
func (l *eventLoop) connect(s *socket) {
	s.tried, s.address = 0, int(s.origin.preferred.Load())
	s.deadline = l.now + l.plan.options.ConnectTimeout
	l.tryConnect(s)
}

// tryConnect tries the addresses of the origin, beginning with the current
// one, until one connects or promises to.
func (l *eventLoop) tryConnect(s *socket) {
	for {
		err := l.dial(s)
		if err == nil {
			return
		}
		number, _ := err.(syscall.Errno)
		if s.origin.unix != "" && number == syscall.EAGAIN {
			s.state, l.crowded = connecting, true // its queue is full: the sweep tries again
			return
		}
		l.closeSocket(s)
		if !s.nextAddress() {
			l.fail(s, fromErrno(number, false))
			return
		}
	}
}

func (s *socket) nextAddress() bool {
	if s.tried++; s.tried >= len(s.origin.addresses) {
		return false
	}
	s.address = (s.address + 1) % len(s.origin.addresses)
	return true
}

// dial makes a socket and connects it without waiting.
func (l *eventLoop) dial(s *socket) error {
	family, address := s.target()
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	s.fd = fd
	if family != syscall.AF_UNIX {
		_ = syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	}
	err = syscall.Connect(fd, address)
	if err != nil && err != syscall.EINPROGRESS {
		_ = syscall.Close(fd)
		s.fd = -1
		return err
	}
	s.generation++
	s.state, s.used, s.wantWrite = connecting, false, true
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLOUT, Fd: s.key, Pad: s.generation}
	return syscall.EpollCtl(l.epoll, syscall.EPOLL_CTL_ADD, fd, &event)
}

// target returns the address to connect to.
func (s *socket) target() (family int, address syscall.Sockaddr) {
	if s.origin.unix != "" {
		return syscall.AF_UNIX, &syscall.SockaddrUnix{Name: s.origin.unix}
	}
	a := s.origin.addresses[s.address]
	if a.Addr().Is4() {
		return syscall.AF_INET, &syscall.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
	}
	six := &syscall.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16()}
	six.ZoneId = zoneIndex(a.Addr().Zone())
	return syscall.AF_INET6, six
}

// zoneIndex is the number of an IPv6 zone, 0 where it has none.
func zoneIndex(zone string) uint32 {
	if zone == "" {
		return 0
	}
	if link, err := net.InterfaceByName(zone); err == nil {
		return uint32(link.Index)
	}
	index, _ := strconv.Atoi(zone)
	return uint32(index)
}

// connectEnded is told that a connection is open or has failed.
func (l *eventLoop) connectEnded(s *socket) {
	number, err := syscall.GetsockoptInt(s.fd, syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err == nil && number == 0 {
		s.state = connected
		s.origin.preferred.Store(int32(s.address))
		l.stats.opened++
		l.send(s)
		return
	}
	l.closeSocket(s)
	if s.nextAddress() {
		l.tryConnect(s)
		return
	}
	l.fail(s, fromErrno(syscall.Errno(number), false))
}

// closeSocket closes a socket; the system forgets its events with it.
func (l *eventLoop) closeSocket(s *socket) {
	if s.fd >= 0 {
		_ = syscall.Close(s.fd)
	}
	s.fd, s.state = -1, closedSocket
	s.generation++ // events that were fetched already are not for its successor
}

// watchWriting asks for, or no longer for, the news that there is room to write.
func (l *eventLoop) watchWriting(s *socket, want bool) {
	if s.wantWrite == want {
		return
	}
	s.wantWrite = want
	event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: s.key, Pad: s.generation}
	if want {
		event.Events |= syscall.EPOLLOUT
	}
	_ = syscall.EpollCtl(l.epoll, syscall.EPOLL_CTL_MOD, s.fd, &event) // it is there: we added it
}
