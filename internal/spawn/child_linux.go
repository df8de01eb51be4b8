package spawn

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// child is a command that runs, or has ended and not been waited for: until
// then its process number is nobody else's.
type child struct {
	pid int
	// ended becomes readable when the command has ended.
	ended int
	// endedAt returns the time of the end where ended is not the kernel's own
	// notice, so that it was taken elsewhere; else it is nil.
	endedAt func() time.Duration
	started time.Duration
	// kill is the time of the SIGKILL that follows a request to end, or 0.
	kill time.Duration
	// over is set when the parent wants no more after this.
	over     bool
	timedOut bool
}

// run starts one command, waits for it and measures it.
func (s *server) run(r *request, files []int) (reply, bool) {
	plumbing, err := s.connect(r, files)
	defer closeAll(files)
	if err != nil {
		plumbing.close()
		return refusal(atPipe, err), false
	}
	c, place, err := s.start(r, plumbing)
	if err != nil {
		plumbing.close()
		return refusal(place, err), false
	}
	s.note(c.pid)
	plumbing.started()
	end := s.await(c, r, plumbing)
	answer := reply{exit: Exit{TimedOut: c.timedOut, Usage: unknownUsage()}}
	usage := &answer.exit.Usage
	usage.Wall = end - c.started
	readScheduler(c.pid, usage)
	readTraffic(c.pid, usage)
	s.note(0)
	answer.exit.Code, answer.exit.Signal = c.collect(usage)
	usage.MemoryFloor = s.peak()
	if !r.keep || c.over {
		answer.exit.LeftBehind = s.endLeftovers()
	}
	s.lingering = append(s.lingering, plumbing.finish(s.null, r.keep)...)
	answer.stdout, answer.stderr = plumbing.stdout.keep(), plumbing.stderr.keep()
	return answer, c.over
}

// refusal is the answer for a command that could not be started.
func refusal(place startPlace, err error) reply {
	errno := syscall.EINVAL
	_ = errors.As(err, &errno)
	return reply{errno: int64(errno), place: place, exit: Exit{Usage: unknownUsage()}}
}

// start executes the command. The clock is read right before.
func (s *server) start(r *request, p *plumbing) (*child, startPlace, error) {
	if len(r.cpus) > 0 {
		// A child inherits the processors of the thread that starts it.
		if err := restrict(r.cpus); err != nil {
			return nil, atProcessors, err
		}
	}
	c := &child{ended: -1}
	attributes := syscall.ProcAttr{
		Dir: r.dir, Env: r.env, Files: p.files[:],
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &c.ended},
	}
	c.started = s.now()
	pid, err := syscall.ForkExec(r.path, r.argv, &attributes)
	if len(r.cpus) > 0 {
		_ = unix.SchedSetaffinity(0, &s.processors)
	}
	if err != nil {
		return nil, atExec, err
	}
	c.pid = pid
	if c.ended < 0 {
		if err := c.watch(s.now); err != nil {
			c.signal(unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, 0, nil)
			return nil, atWatch, err
		}
	}
	return c, 0, nil
}

// restrict lets this thread use only the given processors.
func restrict(cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
		if cpu < 0 || !set.IsSet(cpu) {
			return fmt.Errorf("processor %d: %w", cpu, unix.EINVAL)
		}
	}
	return unix.SchedSetaffinity(0, &set)
}

// watch is for kernels that do not give a file with a process (before Linux
// 5.4): a second thread waits and takes the time.
func (c *child) watch(now func() time.Duration) error {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return err
	}
	var at atomic.Int64
	c.ended, c.endedAt = ends[0], func() time.Duration { return time.Duration(at.Load()) }
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for unix.Waitid(unix.P_PID, c.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
		at.Store(int64(now()))
		_ = unix.Close(ends[1])
	}()
	return nil
}

// await waits for the end, reads the command's output meanwhile, and sees to
// timeouts and to the parent's wishes. It returns the time of the end.
func (s *server) await(c *child, r *request, p *plumbing) time.Duration {
	var deadline time.Duration
	if r.timeout > 0 {
		deadline = c.started + r.timeout
	}
	for {
		fds := append(s.polled[:0], pollIn(c.ended), pollIn(s.in.socket), pollIn(s.signals), p.stdout.poll(), p.stderr.poll())
		if c.over {
			fds[1].Fd, fds[2].Fd = -1, -1
		}
		s.polled = fds
		err := poll(fds, until(s.now(), deadline, c.kill))
		now := s.now()
		switch {
		case err != nil:
		case fds[0].Revents != 0:
			if c.endedAt != nil {
				now = c.endedAt()
			}
			return now
		default:
			if fds[1].Revents != 0 {
				s.interrupt(c, now)
			}
			if fds[2].Revents != 0 {
				c.over = true
				c.end(now + cancelGrace)
			}
			for i, d := range []*drain{p.stdout, p.stderr} {
				if fds[3+i].Revents != 0 {
					d.pump(s.null)
				}
			}
		}
		if deadline > 0 && now >= deadline {
			deadline, c.timedOut = 0, true
			c.end(now + r.grace)
		}
		if c.kill > 0 && now >= c.kill {
			c.signal(unix.SIGKILL)
			c.kill = now + time.Second
		}
	}
}

// interrupt hears what the parent has to say while a command runs: that it
// should end, or, by being gone, that everything should.
func (s *server) interrupt(c *child, now time.Duration) {
	m, err := s.in.next()
	closeAll(m.files)
	c.over = err != nil || m.kind != cancel
	if err != nil && !errors.Is(err, io.EOF) {
		c.signal(unix.SIGKILL)
	}
	c.end(now + cancelGrace)
}

// end asks the command to end, and plans its end by force.
func (c *child) end(kill time.Duration) {
	if c.kill == 0 || kill < c.kill {
		c.kill = kill
	}
	c.signal(unix.SIGTERM)
	c.signal(unix.SIGCONT)
}

// signal reaches the command's whole process group, and the command itself in
// case it has changed to another one.
func (c *child) signal(sig syscall.Signal) {
	_ = unix.Kill(-c.pid, sig)
	_ = unix.Kill(c.pid, sig)
}

// until is how long it takes until the earliest of the times that is not 0, or
// -1 where all are.
func until(now time.Duration, times ...time.Duration) time.Duration {
	sleep := time.Duration(-1)
	for _, t := range times {
		if wait := max(0, t-now); t != 0 && (sleep < 0 || wait < sleep) {
			sleep = wait
		}
	}
	return sleep
}

// collect waits for a command that has ended, reads what it cost and returns
// its exit code and the signal that ended it.
func (c *child) collect(u *Usage) (code, signal int) {
	var status unix.WaitStatus
	var cost unix.Rusage
	for {
		_, err := unix.Wait4(c.pid, &status, 0, &cost)
		if err == unix.EINTR {
			continue
		}
		_ = unix.Close(c.ended)
		if err != nil {
			return -1, 0
		}
		break
	}
	u.User, u.System = time.Duration(cost.Utime.Nano()), time.Duration(cost.Stime.Nano())
	u.PeakMemory = int64(cost.Maxrss) << 10
	u.MinorFaults, u.MajorFaults = int64(cost.Minflt), int64(cost.Majflt)
	u.VoluntarySwitches, u.InvoluntarySwitches = int64(cost.Nvcsw), int64(cost.Nivcsw)
	if status.Signaled() {
		return 128 + int(status.Signal()), int(status.Signal())
	}
	return status.ExitStatus(), 0
}
