package load

import (
	"context"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// next waits for the right to send a request, in the open loop until its planned
// time, and returns the time it is then.
func (w *workers) next(ctx context.Context, r *run, now time.Duration) (t ticket, sent time.Duration, ok bool) {
	if r.schedule == nil {
		t, ok = r.claim(now)
		return t, now, ok
	}
	w.pace.Lock()
	defer w.pace.Unlock()
	now = clock.Now()
	if t, ok = r.claim(now); !ok {
		return t, now, false
	}
	return t, waitUntil(ctx, t.planned, now), true
}

// shortWait is what Go's timers may be late by: where they wait with the network
// poller, they do it in milliseconds.
const shortWait = 2 * time.Millisecond

// waitUntil waits for a planned time, or for the end of ctx, and returns the time
// it is then.
func waitUntil(ctx context.Context, planned, now time.Duration) time.Duration {
	if long := planned - now - shortWait; long > 0 {
		timer := time.NewTimer(long)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return clock.Now()
		}
		now = clock.Now()
	}
	for now < planned {
		sleep(planned - now)
		now = clock.Now()
	}
	return now
}
