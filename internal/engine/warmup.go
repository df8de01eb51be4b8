package engine

import (
	"context"
	"time"
)

// Warmup is how long sessions run unmeasured before a series. Both bounds have
// to be met. The zero value is no warm-up.
type Warmup struct {
	Rounds   int
	Duration time.Duration
}

// Warm runs rounds until both bounds of the warm-up are met, turning the
// direction around every round. now is the engine's own clock.
func (l Loop) Warm(ctx context.Context, request Request, warmup Warmup, now func() time.Duration) error {
	if warmup == (Warmup{}) {
		return nil
	}
	request.Warming = true
	start := now()
	more := func(done int) bool { return done < warmup.Rounds || now()-start < warmup.Duration }
	return l.Run(ctx, request, more, func(bool) {}, func(int, Sample) {})
}
