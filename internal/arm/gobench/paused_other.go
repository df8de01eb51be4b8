//go:build !unix

package gobench

import (
	"context"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// openPaused cannot be: no builder makes such binaries for this system.
func (b *Benchmark) openPaused(context.Context, gobuild.Binary, engine.Slot) (engine.Session, error) {
	return nil, b.failure("cannot be paused on this system", "")
}

func (b *Benchmark) probePaused(context.Context, Trial) (Probe, error) {
	return Probe{}, b.failure("cannot be paused on this system", "")
}

// runPlaced runs a binary to its end. Processes are not placed here.
func runPlaced(ctx context.Context, binary gobuild.Binary, env []string, timeout time.Duration, args []string, _ func(pid int) error) (gobuild.Ended, error) {
	return binary.Run(ctx, env, timeout, args...)
}
