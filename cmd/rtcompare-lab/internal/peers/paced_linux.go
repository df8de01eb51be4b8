package peers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// resetAfter is the idle time after which a paced server begins anew. It is far
// below a slice of the other server, and above most interruptions of the client,
// which the server catches up with.
const resetAfter = 5 * time.Millisecond

// pacer is a server with a single queue. Its answers leave one after the other,
// the n-th of a busy period no earlier than n intervals after the period began,
// so that an interruption is caught up with. Before an answer it spins.
type pacer struct {
	interval time.Duration
	base     time.Time
	poll     int
	listener int
	queue    []int
	partial  map[int][]byte
	due      time.Duration // of the first in the queue
	began    time.Duration // when the first answer of the period left
	last     time.Duration // when the last one left
	inPeriod int64
	done     pacedReport
	out      *json.Encoder
}

// runPaced serves until the input ends, which has to be a file descriptor 0.
func runPaced(out io.Writer, interval time.Duration) error {
	if interval <= 0 {
		return fmt.Errorf("a paced server needs an interval above 0, not %v", interval)
	}
	runtime.LockOSThread()
	// Sleeps are to end when they should, not up to 50 µs later.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	p := &pacer{interval: interval, base: time.Now(), partial: map[int][]byte{}, out: json.NewEncoder(out)}
	address, err := p.listen()
	if err != nil {
		return fmt.Errorf("starting a paced server: %w", err)
	}
	if err := p.out.Encode(hello{address}); err != nil {
		return err
	}
	return p.serve()
}

func (p *pacer) now() time.Duration { return time.Since(p.base) }

func (p *pacer) listen() (address string, err error) {
	if p.listener, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0); err != nil {
		return "", err
	}
	if err = unix.Bind(p.listener, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return "", err
	}
	if err = unix.Listen(p.listener, 1024); err != nil {
		return "", err
	}
	bound, err := unix.Getsockname(p.listener)
	if err != nil {
		return "", err
	}
	if p.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return "", err
	}
	for _, fd := range []int{p.listener, 0} {
		if err = p.watch(fd); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("127.0.0.1:%d", bound.(*unix.SockaddrInet4).Port), nil
}

func (p *pacer) watch(fd int) error {
	return unix.EpollCtl(p.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

func (p *pacer) serve() error {
	events := make([]unix.EpollEvent, 128)
	for {
		for len(p.queue) > 0 && p.now() >= p.due {
			p.answer()
		}
		wait := 0
		if len(p.queue) == 0 {
			wait = -1
		} else if long := p.due - p.now() - spinLast; long > spinLast {
			p.sleep(long)
		}
		n, err := unix.EpollWait(p.poll, events, wait)
		if err != nil && err != unix.EINTR {
			return fmt.Errorf("waiting for requests: %w", err)
		}
		for _, event := range events[:max(0, n)] {
			switch fd := int(event.Fd); fd {
			case p.listener:
				p.accept()
			case 0:
				if over, err := p.control(); over || err != nil {
					return err
				}
			default:
				p.read(fd)
			}
		}
	}
}

// spinLast is how long before an answer a sleep has to end. Servers that use no
// more of a processor than they need are given it sooner when they do.
const spinLast = 40 * time.Microsecond

// sleep waits for the next request, but not longer than asked.
func (p *pacer) sleep(long time.Duration) {
	timeout := unix.NsecToTimespec(int64(long))
	_, _ = unix.Ppoll([]unix.PollFd{{Fd: int32(p.poll), Events: unix.POLLIN}}, &timeout, nil)
}

func (p *pacer) accept() {
	for {
		fd, _, err := unix.Accept4(p.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		if err != nil {
			return
		}
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
		if p.watch(fd) != nil {
			_ = unix.Close(fd)
		}
	}
}

// read takes what a connection has sent. Requests have no bodies.
func (p *pacer) read(fd int) {
	var buffer [4096]byte
	n, err := unix.Read(fd, buffer[:])
	if err == unix.EAGAIN || err == unix.EINTR {
		return
	}
	if n <= 0 {
		p.drop(fd)
		return
	}
	text := append(p.partial[fd], buffer[:n]...)
	for {
		_, rest, whole := bytes.Cut(text, []byte("\r\n\r\n"))
		if !whole {
			break
		}
		text = rest
		p.enqueue(fd)
	}
	p.partial[fd] = append(p.partial[fd][:0], text...)
}

func (p *pacer) drop(fd int) {
	_ = unix.Close(fd)
	delete(p.partial, fd)
	kept := p.queue[:0]
	for _, waiting := range p.queue {
		if waiting != fd {
			kept = append(kept, waiting)
		}
	}
	p.queue = kept
}

// enqueue lets a request wait for its turn. After an idle time it begins a
// period.
func (p *pacer) enqueue(fd int) {
	if len(p.queue) == 0 {
		if now := p.now(); p.inPeriod == 0 || now-p.last > resetAfter {
			p.endPeriod()
			p.due = now + p.interval
		}
	}
	p.queue = append(p.queue, fd)
}

// answer sends the first of the queue its answer.
func (p *pacer) answer() {
	fd := p.queue[0]
	p.queue = p.queue[:copy(p.queue, p.queue[1:])]
	if _, err := unix.Write(fd, smallAnswer); err != nil {
		p.drop(fd)
	}
	p.last = p.now()
	if p.last-p.due > p.interval {
		p.done.Late++
	}
	if p.inPeriod == 0 {
		p.began = p.last
	}
	p.inPeriod++
	p.due += p.interval
	p.done.Requests++
}

func (p *pacer) endPeriod() {
	if p.inPeriod > 1 {
		p.done.Gaps += p.inPeriod - 1
		p.done.Span += p.last - p.began
	}
	p.inPeriod = 0
}

// control answers lines of the input with reports. over is set at its end.
func (p *pacer) control() (over bool, err error) {
	var buffer [256]byte
	n, err := unix.Read(0, buffer[:])
	if err == unix.EAGAIN || err == unix.EINTR {
		return false, nil
	}
	if n <= 0 {
		return true, nil
	}
	for range bytes.Count(buffer[:n], []byte("\n")) {
		p.endPeriod()
		if err := p.out.Encode(p.done); err != nil {
			return true, err
		}
		p.done = pacedReport{}
	}
	return false, nil
}
