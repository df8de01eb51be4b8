package machine

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
)

// BusyCommand is the hidden sub-command that a busy neighbour runs.
const BusyCommand = "busy"

// Load starts busy neighbours: child processes that do nothing but use a
// processor and its caches. stop ends them. They also end when this process
// does, however it ends: their standard input closes, and on Linux the kernel
// kills them.
func Load(ctx context.Context, count int) (stop func(), err error) {
	if count <= 0 {
		return func() {}, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program for busy neighbours: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		// The kernel kills a child when the thread that started it ends, so
		// this one has to stay.
		runtime.LockOSThread()
		started <- keepBusy(ctx, program, count, started)
	}()
	if err := <-started; err != nil {
		cancel()
		<-ended
		return nil, err
	}
	return func() { cancel(); <-started; <-ended }, nil
}

// keepBusy starts the neighbours, says so, and waits for the end.
func keepBusy(ctx context.Context, program string, count int, started chan<- error) error {
	var children []*exec.Cmd
	defer func() {
		for _, child := range children {
			_ = child.Wait() // killed on purpose
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range count {
		child := exec.CommandContext(ctx, program, BusyCommand)
		child.Env = append(os.Environ(), "GOMAXPROCS=1")
		child.SysProcAttr = dieWithParent()
		if _, err := child.StdinPipe(); err != nil {
			return fmt.Errorf("preparing busy neighbour %d: %w", i, err)
		}
		if err := child.Start(); err != nil {
			return fmt.Errorf("starting busy neighbour %d: %w", i, err)
		}
		children = append(children, child)
	}
	started <- nil
	<-ctx.Done()
	return nil
}

// neighbourBytes is larger than a second-level cache, so that a neighbour is
// felt there, too.
const neighbourBytes = 4 << 20

// Busy uses a processor until its input ends: spells of arithmetic and spells
// of walking through memory.
func Busy(in io.Reader) {
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in)
		close(done)
	}()
	memory := make([]uint64, neighbourBytes/8)
	for spell := 0; ; spell++ {
		select {
		case <-done:
			return
		default:
		}
		if spell%2 == 0 {
			x := uint64(spell + 1)
			for range 5_000_000 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			sink += x
			continue
		}
		for range 10 {
			for i := 0; i < len(memory); i += 8 {
				memory[i]++
			}
		}
	}
}
