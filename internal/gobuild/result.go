package gobuild

import (
	"math"
	"strconv"
	"strings"
)

// Result is one line of a benchmark's results.
type Result struct {
	// Name is the full name without the number of processors; empty where
	// output of the benchmark itself stands in its place.
	Name string
	// N is the number of operations.
	N int64
	// Values are the numbers of the line, with their units.
	Values []Value
}

// Value is a number with its unit, such as 12.3 ns/op.
type Value struct {
	Number float64
	Unit   string
}

// Find returns the number with a unit.
func (r Result) Find(unit string) (number float64, ok bool) {
	for _, value := range r.Values {
		if value.Unit == unit {
			return value.Number, true
		}
	}
	return math.NaN(), false
}

// ParseResults finds the lines of results in what a test binary has printed.
// A benchmark may print as well, in the middle of a line or at its beginning;
// what is behind that still counts. processors is the number of processors that
// names end with; see [Processors].
func ParseResults(output string, processors int) []Result {
	var results []Result
	name := ""
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		if len(words) > 0 && isBenchmarkName(words[0]) {
			name, words = withoutProcessors(words[0], processors), words[1:]
		}
		if result, ok := findResult(words); ok {
			result.Name = name
			results = append(results, result)
			name = ""
		}
	}
	return results
}

func isBenchmarkName(word string) bool {
	return strings.HasPrefix(word, "Benchmark")
}

// withoutProcessors removes the number of processors from a name, which is there
// unless it is one.
func withoutProcessors(name string, processors int) string {
	if processors = Processors(processors); processors == 1 {
		return name
	}
	return strings.TrimSuffix(name, "-"+strconv.Itoa(processors))
}

// findResult reads a result that goes to the end of a line, from the first word
// that one can begin with.
func findResult(words []string) (Result, bool) {
	for first := 0; first+3 <= len(words); first++ {
		if (len(words)-first)%2 == 0 {
			continue // numbers and units come in twos, after the count
		}
		if result, ok := readResult(words[first:]); ok {
			return result, true
		}
	}
	return Result{}, false
}

func readResult(words []string) (Result, bool) {
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || n <= 0 {
		return Result{}, false
	}
	result := Result{N: n}
	for i := 1; i < len(words); i += 2 {
		number, err := strconv.ParseFloat(words[i], 64)
		if _, isNumber := strconv.ParseFloat(words[i+1], 64); err != nil || isNumber == nil {
			return Result{}, false
		}
		result.Values = append(result.Values, Value{Number: number, Unit: words[i+1]})
	}
	return result, true
}

// failureMark stands before the name of a benchmark that has failed, and
// skipMark before that of one that was skipped.
const (
	failureMark = "--- FAIL: "
	skipMark    = "--- SKIP: "
)

// Reason says in words why a process has ended that should have given a result,
// from what it printed and how it ended. early is set where it had not begun to
// measure.
func Reason(output string, code int, text string, early bool) string {
	switch {
	case strings.Contains(output, failureMark):
		return "failed"
	case strings.Contains(output, "panic: ") || strings.Contains(output, "fatal error: "):
		return "panicked"
	case strings.Contains(output, skipMark):
		return "was skipped"
	case code == 0 && early:
		return "gave no result: it was skipped, or there is no such benchmark"
	case code == 0:
		return "ended its process in the middle of a batch"
	}
	return "ended its process with " + text
}

// Skipped reports whether a binary that ran with -test.v said that a benchmark
// was skipped.
func Skipped(output string) bool { return strings.Contains(output, skipMark) }

// LastLines is the end of a text, of a number of lines at most.
func LastLines(text string, count int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
