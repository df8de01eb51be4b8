package load

import (
	"context"
	"math"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

func TestScheduleIsEven(t *testing.T) {
	s := newSchedule(3, time.Second)
	for i := range int64(10) {
		index, planned := s.next()
		if want := time.Second + time.Duration(i)*time.Second/3; index != i || planned < want-1 || planned > want+1 {
			t.Errorf("request %d at %v, want %d at %v", index, planned, i, want)
		}
	}
}

// Exponential gaps have a mean and a standard deviation of one gap. The bounds
// are five standard errors wide, for a fixed seed.
func TestPoissonSchedule(t *testing.T) {
	options := Options{Rate: 1000, Poisson: true, Seed: 7}
	const n = 100_000
	s := newRun(options, 0, n, 0, 0).schedule
	other := newRun(options, 0, n, 1, 0).schedule
	_, previous := s.next()
	var sum, squares float64
	same := 0
	for range n {
		_, planned := s.next()
		if _, there := other.next(); there == planned {
			same++
		}
		gap := float64(planned-previous) / float64(time.Millisecond)
		previous = planned
		sum += gap
		squares += gap * gap
	}
	mean := sum / n
	if sd := math.Sqrt(squares/n - mean*mean); math.Abs(mean-1) > 0.016 || math.Abs(sd-1) > 0.032 {
		t.Errorf("gaps of mean %v and standard deviation %v, want 1 and 1", mean, sd)
	}
	if same > 1 {
		t.Error("two runs of one generator have the same schedule")
	}
}

func TestOpenLoopKeepsItsRate(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newCountingServer(t, func(http.ResponseWriter, *http.Request) {})
		options.Concurrency, options.Rate = 16, 500
		for _, poisson := range []bool{false, true} {
			options.Poisson = poisson
			g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
			result := mustRun(t, g, 20, 200)
			if result.Outside.Requests != 20 {
				t.Errorf("%d requests outside, want the lead of 20", result.Outside.Requests)
			}
			// Nothing may be faster than planned; slower is the machine's affair.
			limit := 500.01
			if poisson {
				limit *= 1.35 // five standard errors of 200 gaps
			}
			if result.Rate <= 0 || result.Rate > limit {
				t.Errorf("%.0f requests/s, planned 500", result.Rate)
			}
			response, service := g.Latencies()
			if response.TotalCount() != 200 || service.TotalCount() != 200 {
				t.Errorf("%d and %d latencies, want 200", response.TotalCount(), service.TotalCount())
			}
		}
	})
}

// A server that stands still once holds up all the requests that were planned
// meanwhile. Counted from the planned time many of them are late; the service
// times alone show one.
func TestStallIsChargedToAllWhoWaited(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		const stall = 300 * time.Millisecond
		var asked atomic.Int64
		server := newCountingServer(t, func(http.ResponseWriter, *http.Request) {
			if asked.Add(1) == 60 {
				time.Sleep(stall)
			}
		})
		options.Concurrency, options.Rate = 1, 200
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		mustRun(t, g, 10, 190)
		response, service := g.Latencies()
		// 60 requests are planned during the stall; 40 of them wait for more
		// than a third of it.
		late := int64(stall / 3)
		waited := response.TotalCount() - countBelow(response, late)
		served := service.TotalCount() - countBelow(service, late)
		if waited < 30 || waited < served+25 {
			t.Errorf("%d requests late by their planned time, %d by their service time: want about 40 and 1", waited, served)
		}
	})
}

// A server may end a connection that waits for its next request. That fails
// nothing.
func TestIdleConnectionsThatEnd(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newUnstartedServer(func(http.ResponseWriter, *http.Request) {})
		server.Config.IdleTimeout = 10 * time.Millisecond
		server.start(t)
		options.Rate = 25
		result := mustRun(t, newGenerator(t, Target{URLs: []string{server.URL}}, options), 0, 10)
		if accepted := server.accepted.Load(); accepted < 2 || result.Opened != accepted {
			t.Errorf("%d connections opened, %d accepted, want the same and several", result.Opened, accepted)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(testContext(t))
	time.AfterFunc(10*time.Millisecond, cancel)
	now := clock.Now()
	if end := waitUntil(ctx, now+time.Hour, now); end-now > time.Minute {
		t.Errorf("waited for %v", end-now)
	}
	if end := waitUntil(testContext(t), now+5*time.Millisecond, now); end < now+5*time.Millisecond {
		t.Errorf("waited for %v, want 5 ms", end-now)
	}
}
