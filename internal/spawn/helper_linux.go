package spawn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// helper is this process's side of one spawner process.
type helper struct {
	process *os.Process
	socket  *os.File
	raw     syscall.RawConn
	// diary holds the diary's end for reading. Whoever reads it takes it out.
	// Its other end is entries, until it has been sent.
	diary   chan int
	entries int
	// turn is held by whoever uses the socket.
	turn chan struct{}
	// gone is closed when the process has ended; end then says how.
	gone chan struct{}
	end  string
}

// startLimit bounds the wait for the spawner to say that it is ready.
const startLimit = 30 * time.Second

// begin executes the program as a spawner and waits until it is ready.
func begin(ctx context.Context, executable string) (*helper, error) {
	h, err := launch(executable)
	if err != nil {
		return nil, fmt.Errorf("starting the process that starts commands: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = h.socket.SetDeadline(time.Now()) })()
	kind, err := h.greet()
	if err == nil && kind == ready && ctx.Err() == nil {
		return h, nil
	}
	_ = h.process.Kill()
	<-h.gone
	_ = h.socket.Close()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("starting the process that starts commands: %w", context.Cause(ctx))
	}
	return nil, fmt.Errorf("starting the process that starts commands: %s before it was ready; its program has to call spawn.Serve first thing in main", h.end)
}

// greet sends the first message and returns the kind of the answer.
func (h *helper) greet() (messageKind, error) {
	defer func() { _ = unix.Close(h.entries) }()
	if err := h.send(hello, nil, []int{h.entries}); err != nil {
		return 0, err
	}
	kind, _, err := h.receive()
	return kind, err
}

// watch waits for the end of the process, and ends what it could not.
func (h *helper) watch() {
	state, err := h.process.Wait()
	if h.end = "it ended"; err == nil {
		h.end = "it ended (" + state.String() + ")"
	}
	diary := <-h.diary
	if pid := lastEntry(diary); pid > 0 {
		_ = unix.Kill(-pid, unix.SIGKILL)
	}
	_ = unix.Close(diary)
	close(h.gone)
}

// run sends a request and waits for the answer. When ctx ends it tells the
// spawner to end the command.
func (h *helper) run(ctx context.Context, r *request, files *passed) (reply, error) {
	if ctx.Err() != nil {
		return reply{}, stopped(ctx)
	}
	if err := h.send(run, r.encode(nil), files.numbers()); err != nil {
		return reply{}, h.died(err)
	}
	told := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(told)
		_ = h.send(cancel, nil, nil)
		// A spawner that does not answer any more is ended like a command.
		_ = h.socket.SetReadDeadline(time.Now().Add(cancelGrace + persistence))
	})
	kind, payload, err := h.receive()
	if !stop() {
		<-told
		_ = h.socket.SetReadDeadline(time.Time{})
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = h.process.Kill()
		return reply{}, fmt.Errorf("%w; it did not answer and was killed", stopped(ctx))
	}
	if err != nil {
		return reply{}, h.died(err)
	}
	select {
	case diary := <-h.diary:
		lastEntry(diary) // so that there is room for more
		h.diary <- diary
	default:
	}
	answer, err := decodeReply(payload)
	if err != nil || kind != ran {
		return reply{}, fmt.Errorf("the process that starts commands answered with a %w", errMalformed)
	}
	return answer, nil
}

// deathNotice is how long a spawner that has closed its socket takes to end.
const deathNotice = time.Second

// died says what has become of a spawner that does not talk any more.
func (h *helper) died(err error) error {
	select {
	case <-h.gone:
		return fmt.Errorf("%w: %s; start again", ErrSpawnerDied, h.end)
	case <-time.After(deathNotice):
		return fmt.Errorf("%w: %w", ErrSpawnerDied, err)
	}
}

// finish ends the spawner and all that it has started.
func (h *helper) finish(limit time.Duration) error {
	// A command may run, so that somebody else waits for an answer; sending
	// does not disturb that.
	_ = h.send(finish, nil, nil)
	defer func() { _ = h.socket.Close() }()
	select {
	case <-h.gone:
		return nil
	case <-time.After(limit):
		_ = h.process.Kill()
		<-h.gone
		return fmt.Errorf("the process that starts commands did not end within %v and was killed; something it has started may still run", limit)
	}
}

// send sends one message. Files go with its first byte.
func (h *helper) send(kind messageKind, payload []byte, files []int) error {
	head := header(kind, len(payload), len(files))
	rest := append(head[:], payload...)
	var control []byte
	if len(files) > 0 {
		control = unix.UnixRights(files...)
	}
	var failure error
	err := h.raw.Write(func(fd uintptr) bool {
		for len(rest) > 0 {
			n, err := unix.SendmsgN(int(fd), rest, control, nil, unix.MSG_NOSIGNAL)
			switch err {
			case nil:
				rest, control = rest[n:], nil
			case unix.EINTR:
			case unix.EAGAIN:
				return false
			default:
				failure = err
				return true
			}
		}
		return true
	})
	if err == nil {
		err = failure
	}
	return err
}

// receive waits for one message.
func (h *helper) receive() (messageKind, []byte, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(h.socket, head[:]); err != nil {
		return 0, nil, err
	}
	kind, size, _, err := parseHeader(head)
	if err != nil {
		return 0, nil, err
	}
	payload := make([]byte, size)
	_, err = io.ReadFull(h.socket, payload)
	return kind, payload, err
}
