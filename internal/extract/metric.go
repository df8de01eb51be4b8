// Package extract finds numbers in what a command prints, so that a program's own
// figures (requests per second, tokens, peak memory) can be compared like its
// run time.
//
// A number is found by a regular expression or by a JSON path. The package reads
// texts and returns values; it starts nothing.
package extract

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/theory/jsonpath"
)

// Metric is one number that a command prints. It is made by [Parse], [Regexp] or
// [JSON]; the zero value finds nothing.
type Metric struct {
	// Name is what reports call it.
	Name string
	// Unit is the unit that values are reported in: a number with another unit
	// behind it is converted, one without a unit is taken to be in Unit. Empty
	// for plain numbers, which must then have no unit.
	Unit string
	// Better is "lower" or "higher", or empty: then a change is shown but not judged.
	Better string
	// From is where the number is found: "regexp:PATTERN" or "json:PATH".
	From string

	pattern *regexp.Regexp
	path    *jsonpath.Path
}

// Value is one metric of one run.
type Value struct {
	// Name is the metric's name.
	Name string
	// Value is in the metric's unit; it is finite.
	Value float64
}

// Regexp returns a metric that is found by a regular expression in Go's syntax
// (RE2), where ^ and $ match at the ends of lines. The number is the group named
// value, else the first group, else the whole match; a group named unit, where
// there is one, holds the number's unit. Of several matches the last one counts,
// since programs print their progress first and their result last.
func Regexp(name, pattern string) (Metric, error) {
	if err := checkName(name); err != nil {
		return Metric{}, err
	}
	if pattern == "" {
		return Metric{}, fmt.Errorf("metric %q: the regular expression is empty", name)
	}
	compiled, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return Metric{}, fmt.Errorf("metric %q: regular expression %q: %s", name, pattern,
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return Metric{Name: name, From: "regexp:" + pattern, pattern: compiled}, nil
}

// JSON returns a metric that is found by a JSON path (RFC 9535), such as
// $.summary.mean. The output is one JSON document, or JSON lines, of which the
// last one with such a value counts; lines that are not JSON are passed over.
// The value is a number or a text that holds one.
func JSON(name, path string) (Metric, error) {
	if err := checkName(name); err != nil {
		return Metric{}, err
	}
	compiled, err := jsonpath.Parse(path)
	if err != nil {
		return Metric{}, fmt.Errorf("metric %q: JSON path %q: %s: a path looks like $.summary.mean", name, path,
			strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	return Metric{Name: name, From: "json:" + path, path: compiled}, nil
}

// checkName says what is wrong with a metric's name.
func checkName(name string) error {
	if name == "" {
		return errors.New("a metric needs a name: NAME=regexp:PATTERN or NAME=json:PATH")
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`=,"`, r) }); i >= 0 {
		return fmt.Errorf("metric %q: a name has no blanks, quotation marks, commas or equals signs", name)
	}
	return nil
}

// In returns the metric with values reported in a unit.
func (m Metric) In(unit string) Metric {
	m.Unit = unit
	return m
}

// Judged returns the metric with the direction that is good: "lower", "higher"
// or "" for none. Anything else is an error.
func (m Metric) Judged(better string) (Metric, error) {
	switch better {
	case "", "lower", "higher":
		m.Better = better
		return m, nil
	}
	return Metric{}, fmt.Errorf("metric %q: better=%s: it has to be lower or higher", m.Name, better)
}

// Find returns the metric's value in an output. No match, a value that is no
// finite number, and a unit that cannot be converted are errors.
func (m Metric) Find(output []byte) (float64, error) {
	value, err := m.find(output)
	if err != nil {
		return 0, fmt.Errorf("metric %q (%s): %w", m.Name, m.From, err)
	}
	return value, nil
}

func (m Metric) find(output []byte) (float64, error) {
	switch {
	case m.pattern != nil:
		return m.match(output)
	case m.path != nil:
		return m.selectFrom(output)
	}
	return 0, errors.New("it does not say where to look: use NAME=regexp:PATTERN or NAME=json:PATH")
}

// Find returns the values of all metrics in an output, in the metrics' order,
// and all problems as one error.
func Find(metrics []Metric, output []byte) ([]Value, error) {
	values := make([]Value, 0, len(metrics))
	var problems []error
	for _, m := range metrics {
		value, err := m.Find(output)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		values = append(values, Value{Name: m.Name, Value: value})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return values, nil
}
