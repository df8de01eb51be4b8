package term

import (
	"fmt"
	"math"
	"time"
)

// Elapsed puts a duration into words, to the second: "12 seconds", "1 minute 5
// seconds", "2 hours 10 minutes".
func Elapsed(d time.Duration) string {
	switch seconds := int64(max(0, d).Round(time.Second) / time.Second); {
	case d < time.Second:
		return "less than a second"
	case seconds < 60:
		return count(seconds, "second")
	case seconds < 3600:
		return count(seconds/60, "minute") + rest(seconds%60, "second")
	default:
		minutes := (seconds + 30) / 60
		return count(minutes/60, "hour") + rest(minutes%60, "minute")
	}
}

// Left puts an estimate of the time left into words. It is rounded up and ever
// more coarsely the longer it is, because it is a guess: "about 20 seconds left".
func Left(d time.Duration) string {
	seconds := int64(math.Ceil(max(0, d).Seconds()))
	switch {
	case seconds <= 5:
		return "a few seconds left"
	case seconds <= 55:
		return "about " + count((seconds+4)/5*5, "second") + " left"
	case seconds <= 600:
		return "about " + count((seconds+59)/60, "minute") + " left"
	case seconds <= 55*60:
		return "about " + count((seconds+299)/300*5, "minute") + " left"
	}
	quarters := (seconds + 899) / 900
	return "about " + count(quarters/4, "hour") + rest(quarters%4*15, "minute") + " left"
}

// Remaining estimates the time left from the time elapsed and the share of the
// work that is done, from 0 to 1. It reports false while there is nothing to go
// by: within the first second, and before a hundredth is done.
func Remaining(elapsed time.Duration, done float64) (left time.Duration, ok bool) {
	if !(done >= 0.01) || elapsed < time.Second {
		return 0, false
	}
	if done >= 1 {
		return 0, true
	}
	nanoseconds := float64(elapsed) * (1 - done) / done
	if nanoseconds >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(nanoseconds), true
}

// count writes a number with its noun: "1 second", "2 seconds".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// rest is count behind something larger, and empty for 0.
func rest(n int64, noun string) string {
	if n == 0 {
		return ""
	}
	return " " + count(n, noun)
}
