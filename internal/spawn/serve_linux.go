package spawn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// role is the name under which the program is executed as the spawner.
const role = "rtcompare: spawner"

// Serve has to be the first call in main. In the process that starts commands
// it serves until its parent has no more of them, and exits; in any other
// process it returns at once.
func Serve() {
	if len(os.Args) != 1 || os.Args[0] != role {
		return
	}
	// The kernel kills a child when the thread ends that has started it, so that
	// all are started by one that lasts.
	runtime.LockOSThread()
	takeShortTurns(0, true)
	if err := serve(0); err != nil {
		fmt.Fprintln(os.Stderr, "rtcompare: error: the process that starts commands:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// server is the spawner's whole state. It does one thing at a time.
type server struct {
	in      receiver
	base    time.Time
	null    int // the empty device, for reading and writing
	status  int // /proc/self/status, or -1
	signals int // becomes readable when this process is asked to end
	diary   int // where the parent can see which command runs
	// processors are those that this process may use.
	processors unix.CPUSet
	// lingering are pipes that processes hold which were told to stay.
	lingering []*drain
	// answer is the buffer of answers, and garbage what was allocated since the
	// last collection, roughly.
	answer  []byte
	garbage int
	polled  []unix.PollFd
	// constants are parts of the program that collections read all over, and
	// commands hardly at all.
	constants []mapping
}

func serve(socket int) error {
	s := &server{in: receiver{socket: socket}, base: time.Now(), status: -1}
	// Whatever a command leaves behind becomes a child of this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming the parent of what commands leave behind: %w", err)
	}
	var err error
	if s.null, err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("opening %s: %w", os.DevNull, err)
	}
	if err := unix.SchedGetaffinity(0, &s.processors); err != nil {
		return fmt.Errorf("reading which processors may be used: %w", err)
	}
	if s.signals, err = watchSignals(); err != nil {
		return err
	}
	if fd, err := unix.Open("/proc/self/status", unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
		s.status = fd
	}
	first, err := s.in.next()
	if err != nil || first.kind != hello || len(first.files) != 1 {
		return fmt.Errorf("waiting for the first message: %w", errors.Join(err, errMalformed))
	}
	s.diary = first.files[0]
	s.constants = shrink()
	if err := sendAll(socket, ready, nil); err != nil {
		return err
	}
	return s.loop()
}

// watchSignals returns a file that becomes readable when this process is asked
// to end, so that it takes the commands along.
func watchSignals() (int, error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return -1, fmt.Errorf("making a pipe: %w", err)
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		<-asked
		_ = unix.Close(ends[1])
	}()
	return ends[0], nil
}

// now is the spawner's own clock.
func (s *server) now() time.Duration { return time.Since(s.base) }

// loop serves until the parent is gone, says so, or a signal does.
func (s *server) loop() error {
	defer s.endDescendants(defaultGrace)
	for {
		fds := append(s.polled[:0], pollIn(s.in.socket), pollIn(s.signals))
		for _, d := range s.lingering {
			fds = append(fds, pollIn(d.read))
		}
		s.polled = fds
		if err := poll(fds, s.patience()); err != nil {
			return fmt.Errorf("waiting for commands: %w", err)
		}
		if fds[1].Revents != 0 {
			return nil
		}
		s.linger(fds[2:])
		if fds[0].Revents == 0 {
			reap()
			continue
		}
		m, err := s.in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch m.kind {
		case run:
			over, err := s.serveRun(m)
			if over || err != nil {
				return err
			}
		case finish:
			return nil
		default: // a cancellation that comes too late
			closeAll(m.files)
		}
	}
}

// patience is how long the spawner sleeps without being woken: for ever, but
// for looking after what was told to stay.
func (s *server) patience() time.Duration {
	if len(s.lingering) > 0 || reap() {
		return time.Second
	}
	return -1
}

// linger reads from the pipes of processes that were told to stay.
func (s *server) linger(fds []unix.PollFd) {
	open := s.lingering[:0]
	for i, d := range s.lingering {
		if fds[i].Revents != 0 {
			d.pump(s.null)
		}
		if d.read >= 0 {
			open = append(open, d)
		}
	}
	s.lingering = open
}

// serveRun runs one command and answers. over is set when the parent wants no
// more.
func (s *server) serveRun(m message) (over bool, err error) {
	request, err := decodeRequest(m.payload)
	if err != nil {
		closeAll(m.files)
		return true, err
	}
	answer, over := s.run(&request, m.files)
	s.answer = answer.encode(s.answer[:0])
	if err := sendAll(s.in.socket, ran, s.answer); err != nil {
		return true, err
	}
	s.collect(garbagePerRun + 4*len(m.payload))
	return over, nil
}

// collectAfter is the garbage that makes a collection worthwhile. It is far
// below what the runtime would wait for, and adds little to the peak of memory.
const collectAfter = 128 << 10

// garbagePerRun is roughly what a command takes beside its environment.
const garbagePerRun = 1 << 10

// collect runs a garbage collection between two commands, now and then. The
// runtime's own are turned off, or they would come while a command runs.
func (s *server) collect(garbage int) {
	if s.garbage += garbage; s.garbage > collectAfter {
		runtime.GC()
		forget(s.constants)
		resetPeak()
		s.garbage = 0
	}
}
