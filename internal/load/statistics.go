package load

import (
	"fmt"
	"sync"
	"time"
)

// Tally counts requests.
type Tally struct {
	// Requests is how many there were, Failed how many of them failed.
	Requests, Failed int64
	// Received is the number of bytes of the answers, heads included. Through
	// net/http it is the bytes of the bodies alone.
	Received int64
	// Statuses counts complete answers by status, expected or not.
	Statuses map[int]int64
	// Errors counts failures by the label of their [Error].
	Errors map[string]int64
	// Examples describes the first failures, five at most.
	Examples []string
}

// mostExamples failures are described in full.
const mostExamples = 5

// Add adds another tally to t.
func (t *Tally) Add(other Tally) {
	t.Requests += other.Requests
	t.Failed += other.Failed
	t.Received += other.Received
	for status, count := range other.Statuses {
		if t.Statuses == nil {
			t.Statuses = map[int]int64{}
		}
		t.Statuses[status] += count
	}
	for label, count := range other.Errors {
		if t.Errors == nil {
			t.Errors = map[string]int64{}
		}
		t.Errors[label] += count
	}
	room := max(0, mostExamples-len(t.Examples))
	t.Examples = append(t.Examples, other.Examples[:min(room, len(other.Examples))]...)
}

// counts is a tally that allocates nothing while requests succeed.
type counts struct {
	requests, failed, received int64
	statuses                   [1000]int64
	errors                     map[string]int64
	examples                   []string
}

// tally empties c into a Tally.
func (c *counts) tally() Tally {
	t := Tally{Requests: c.requests, Failed: c.failed, Received: c.received, Errors: c.errors, Examples: c.examples}
	if c.requests > 0 {
		t.Statuses = map[int]int64{}
		for status, count := range c.statuses {
			if count > 0 {
				t.Statuses[status] = count
			}
		}
	}
	*c = counts{}
	return t
}

// outcome is what became of one request.
type outcome struct {
	status   int // of a complete answer, else 0
	received int64
	failure  *Error
	endpoint *endpoint
	ticket   ticket
	sent     time.Duration // when the connection was free and the time had come
	end      time.Duration
}

// statistics gathers outcomes. An event loop has its own; goroutines share a
// few and hold the lock.
type statistics struct {
	sync.Mutex
	counted, outside counts
	response         recorder
	service          recorder
	opened, retries  int64
	sent             int64         // counted requests of the open loop
	lastSent         time.Duration // the last of them
}

// add takes an outcome. counted says whether it belongs to the measured part.
func (s *statistics) add(o *outcome, counted, open bool, method string) {
	c := &s.outside
	if counted {
		c = &s.counted
	}
	c.requests++
	c.received += o.received
	if o.status != 0 {
		c.statuses[o.status]++
	}
	if counted && o.status != 0 {
		s.response.record(o.end - o.ticket.planned)
		if open {
			s.service.record(o.end - o.sent)
		}
	}
	if counted && open {
		s.sent++
		s.lastSent = max(s.lastSent, o.sent)
	}
	if o.failure == nil {
		return
	}
	c.failed++
	if c.errors == nil {
		c.errors = map[string]int64{}
	}
	c.errors[o.failure.Label]++
	if len(c.examples) < mostExamples {
		c.examples = append(c.examples, fmt.Sprintf("%s %s: %v", method, o.endpoint.url.Redacted(), o.failure))
	}
}
