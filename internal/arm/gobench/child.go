//go:build unix

package gobench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// child is a process with the pausing driver, and the two pipes to it.
type child struct {
	pid     int
	orders  *os.File
	answers *os.File
	reader  *bufio.Reader
	output  *tail
	ended   chan struct{}
	state   *os.ProcessState
}

// outputLimit is how much of a process's output is kept, from its end.
const outputLimit = 64 << 10

// endGrace is how long a process has to end by itself.
const endGrace = 5 * time.Second

// startChild starts a process that serves a benchmark. It is ended with this
// process: its orders end, and where the system can, it is killed.
func startChild(binary gobuild.Binary, name string, args, env []string) (*child, error) {
	ordersRead, orders, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, answersWrite, err := os.Pipe()
	if err != nil {
		_, _ = ordersRead.Close(), orders.Close()
		return nil, err
	}
	c := &child{orders: orders, answers: answers, reader: bufio.NewReader(answers), output: new(tail), ended: make(chan struct{})}
	cmd := exec.Command(binary.Path, args...)
	const firstDescriptor = 3
	cmd.ExtraFiles = []*os.File{ordersRead, answersWrite}
	cmd.Env = append(env, gobuild.PausingVariable+"="+strconv.Itoa(firstDescriptor)+" "+strconv.Itoa(firstDescriptor+1)+" "+name)
	cmd.Dir = binary.Package.Dir
	cmd.Stdout, cmd.Stderr = c.output, c.output
	cmd.SysProcAttr = groupOfItsOwn()
	cmd.WaitDelay = endGrace
	started := make(chan error)
	go c.watch(cmd, started)
	err = <-started
	_, _ = ordersRead.Close(), answersWrite.Close()
	if err != nil {
		_, _ = orders.Close(), answers.Close()
		return nil, fmt.Errorf("starting %s: %w", binary.Path, err)
	}
	return c, nil
}

// watch starts the process and waits for its end. Linux kills a child when the
// thread that started it ends, which this goroutine keeps until then.
func (c *child) watch(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	c.pid = cmd.Process.Pid
	started <- nil
	_ = cmd.Wait()
	// What it started is of no use to anybody now.
	_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	c.state = cmd.ProcessState
	close(c.ended)
}

// errSilent says that no answer came in time.
var errSilent = errors.New("no answer")

// ask sends an order and waits for the answer, which begins with one letter. It
// returns io.EOF if the process has ended instead, and [errSilent] if it took
// too long.
func (c *child) ask(ctx context.Context, order []byte, limit time.Duration) ([]byte, error) {
	if err := c.answers.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.answers.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if len(order) > 0 {
		if _, err := c.orders.Write(order); err != nil {
			return nil, io.EOF
		}
	}
	answer, err := c.reader.ReadSlice('\n')
	switch {
	case err == nil:
		return answer[:len(answer)-1], nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSilent
	}
	return nil, io.EOF
}

// wait waits for the end of the process, and kills it if that takes too long.
func (c *child) wait(limit time.Duration) (killed bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.ended:
		return false
	case <-timer.C:
		c.kill()
		return true
	}
}

// kill ends the process and all that it has started.
func (c *child) kill() {
	_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	<-c.ended
}

// close releases the pipes. The process has ended.
func (c *child) close() {
	_, _ = c.orders.Close(), c.answers.Close()
}

// ending says how the process ended.
func (c *child) ending() (code int, text string) {
	if c.state == nil {
		return -1, "could not be waited for"
	}
	return c.state.ExitCode(), c.state.String()
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
