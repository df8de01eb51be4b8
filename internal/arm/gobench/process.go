//go:build unix

package gobench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// process is a running test binary. What it starts is ended with it.
type process struct {
	pid    int
	output *tail
	ended  chan struct{}
	state  *os.ProcessState
}

// outputLimit is how much of a process's output is kept, from its end.
const outputLimit = 64 << 10

// endGrace is how long a process has to end by itself.
const endGrace = 5 * time.Second

// start starts a binary where its package is. files are what it has open beside
// its three streams.
func start(binary gobuild.Binary, args, env []string, files ...*os.File) (*process, error) {
	p := &process{output: new(tail), ended: make(chan struct{})}
	cmd := exec.Command(binary.Path, args...)
	cmd.ExtraFiles, cmd.Env, cmd.Dir = files, env, binary.Package.Dir
	cmd.Stdout, cmd.Stderr = p.output, p.output
	cmd.SysProcAttr = groupOfItsOwn()
	cmd.WaitDelay = endGrace
	started := make(chan error)
	go p.watch(cmd, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", binary.Path, err)
	}
	return p, nil
}

// watch starts the process and waits for its end. Linux kills a child when the
// thread that started it ends, which this goroutine keeps until then.
func (p *process) watch(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	p.pid = cmd.Process.Pid
	started <- nil
	p.state, _ = cmd.Process.Wait()
	// What it started is of no use to anybody now, and may hold on to its
	// output.
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	_ = cmd.Wait() // for what it has printed
	close(p.ended)
}

// wait waits for the end of the process, and kills it if that takes too long.
func (p *process) wait(ctx context.Context, limit time.Duration) (killed bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
		return false
	case <-timer.C:
	case <-ctx.Done():
	}
	p.kill()
	return true
}

// kill ends the process and all that it has started.
func (p *process) kill() {
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	<-p.ended
}

// ending says how the process ended.
func (p *process) ending() gobuild.Ended {
	ended := gobuild.Ended{Output: p.output.String(), Code: -1, Text: "no exit status"}
	if p.state != nil {
		ended.Code, ended.Text = p.state.ExitCode(), p.state.String()
	}
	return ended
}

// runPlaced runs a binary to its end, on the processors of its place.
func runPlaced(ctx context.Context, binary gobuild.Binary, env []string, timeout time.Duration, args []string, place func(pid int) error) (gobuild.Ended, error) {
	p, err := start(binary, args, env)
	if err != nil {
		return gobuild.Ended{}, err
	}
	if err := place(p.pid); err != nil {
		p.kill()
		return gobuild.Ended{}, err
	}
	killed := p.wait(ctx, timeout)
	if ctx.Err() != nil {
		return gobuild.Ended{}, ctx.Err()
	}
	ended := p.ending()
	ended.TimedOut = killed
	return ended, nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - outputLimit; over > outputLimit {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
