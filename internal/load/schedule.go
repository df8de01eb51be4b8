package load

import (
	"math/rand/v2"
	"sync"
	"time"
)

// schedule plans the sending times of the open loop.
type schedule struct {
	mu    sync.Mutex
	start time.Duration
	gap   float64 // nanoseconds, the mean one
	draw  *rand.Rand
	index int64
	at    float64 // nanoseconds after start
}

// newSchedule plans rate requests per second at equal gaps, the first at start.
// With draw set the gaps come from an exponential distribution, as if many
// independent users sent them.
func newSchedule(rate float64, start time.Duration) *schedule {
	return &schedule{start: start, gap: float64(time.Second) / rate}
}

// next returns the index of the next request and when it is to be sent.
func (s *schedule) next() (index int64, planned time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, planned = s.index, s.start+time.Duration(s.at)
	s.index++
	if s.draw == nil {
		s.at = float64(s.index) * s.gap // no rounding adds up
	} else {
		s.at += s.draw.ExpFloat64() * s.gap
	}
	return index, planned
}
