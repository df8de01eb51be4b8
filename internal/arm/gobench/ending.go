package gobench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ending is what a benchmark reported when its function returned.
type ending struct {
	n, nanoseconds int64
	// bytes is the argument of b.SetBytes.
	bytes   int64
	metrics map[string]float64
}

// metric returns a reported metric, or NaN.
func (e ending) metric(name string) float64 {
	if value, ok := e.metrics[name]; ok {
		return value
	}
	return math.NaN()
}

// readEnding reads operations, nanoseconds and bytes, and what follows them in
// the form unit=value.
func readEnding(answer string) (ending, error) {
	wrong := fmt.Errorf("gave an answer that is not understood: %q", answer)
	words := strings.Fields(answer)
	if len(words) < 3 {
		return ending{}, wrong
	}
	e := ending{metrics: map[string]float64{}}
	for i, to := range []*int64{&e.n, &e.nanoseconds, &e.bytes} {
		value, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil {
			return e, wrong
		}
		*to = value
	}
	for _, word := range words[3:] {
		at := strings.LastIndexByte(word, '=')
		if at <= 0 {
			return e, wrong
		}
		value, err := strconv.ParseFloat(word[at+1:], 64)
		if err != nil {
			return e, wrong
		}
		e.metrics[word[:at]] = value
	}
	return e, nil
}
