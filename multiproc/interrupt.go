package multiproc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ErrInterrupted is what the error of a run is, in the sense of [errors.Is], that
// a signal ended. What a journal holds by then is kept.
var ErrInterrupted = errors.New("interrupted")

// interruption is the cause of a run's end by a signal.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string { return fmt.Sprintf("interrupted (%v)", i.signal) }

func (i *interruption) Is(target error) bool { return target == ErrInterrupted }

// exitStatus is what a program that was interrupted ends with: 128 and the
// number of the signal.
func (i *interruption) exitStatus() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 1
}

// untilInterrupted ends a context when the program is asked to end. The children
// have process groups of their own and do not hear of it otherwise. A second
// signal does what it would have done without this package.
func untilInterrupted(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	heard := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(heard, s)
		}
	}
	go func() {
		select {
		case s := <-heard:
			signal.Stop(heard)
			cancel(&interruption{s})
		case <-ctx.Done():
			signal.Stop(heard)
		}
	}()
	return ctx, func() { cancel(nil) }
}
