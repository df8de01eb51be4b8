package gobuild

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Found is a benchmark that runs.
type Found struct {
	// Name is the full name without the number of processors.
	Name string
	// Once is the line of its one operation.
	Once Result
}

// NotRun is a benchmark that gave no result.
type NotRun struct {
	Name, Package, Version string
	// Reason says what happened, such as "failed", and Output is the end of what
	// it printed.
	Reason, Output string
	// Skipped is set where the benchmark itself said so.
	Skipped bool
}

func (e *NotRun) Error() string {
	text := fmt.Sprintf("%s in %s at %s %s", e.Name, e.Package, e.Version, e.Reason)
	if e.Output != "" {
		text += "\n" + e.Output
	}
	return text
}

// Listing says how the benchmarks of a binary are found.
type Listing struct {
	// Pattern selects benchmarks as -bench does; empty for all.
	Pattern string
	// Env and Processors are those of the processes.
	Env        []string
	Processors int
	// Timeout bounds one top-level benchmark with all below it; 0 means 10
	// minutes.
	Timeout time.Duration
	// Args are further flags for the binary.
	Args []string
}

const defaultTimeout = 10 * time.Minute

// shownLines is how much of a benchmark's output an error shows.
const shownLines = 30

// Benchmarks finds the benchmarks of a binary, with those below others, by
// running every one once. Each top-level benchmark gets a process of its own, so
// that one that panics takes no other with it.
func (b Binary) Benchmarks(ctx context.Context, l Listing) ([]Found, []*NotRun, error) {
	if l.Timeout == 0 {
		l.Timeout = defaultTimeout
	}
	if l.Pattern == "" {
		l.Pattern = "."
	}
	top, below, cut := cutPattern(l.Pattern)
	matches, err := regexp.Compile(top)
	if err != nil {
		return nil, nil, fmt.Errorf("the pattern for benchmarks: %w", err)
	}
	env := b.Environment(l.Env, l.Processors)
	listed, err := b.Run(ctx, env, l.Timeout, slices.Concat([]string{"-test.list=^Benchmark"}, l.Args)...)
	if err != nil {
		return nil, nil, err
	}
	if listed.Code != 0 {
		return nil, nil, fmt.Errorf("listing the benchmarks of %s at %s: the test binary ended with %s\n%s", b.Package.ImportPath, b.Version, listed.Text, LastLines(listed.Output, shownLines))
	}
	var found []Found
	var failed []*NotRun
	for line := range strings.Lines(listed.Output) {
		name := strings.TrimSpace(line)
		if !isBenchmarkName(name) || strings.ContainsAny(name, " \t") || !matches.MatchString(name) {
			continue
		}
		pattern := ExactPattern(name)
		if cut {
			pattern += "/" + below
		}
		some, without, err := b.once(ctx, env, l, name, pattern)
		if err != nil {
			return nil, nil, err
		}
		found, failed = append(found, some...), append(failed, without...)
	}
	return found, failed, nil
}

// cutPattern cuts a pattern at its first slash outside of brackets, as package
// testing does.
func cutPattern(pattern string) (top, below string, cut bool) {
	brackets, parens := 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '[':
			brackets++
		case ']':
			brackets = max(0, brackets-1)
		case '(':
			if brackets == 0 {
				parens++
			}
		case ')':
			if brackets == 0 {
				parens--
			}
		case '\\':
			i++
		case '/':
			if brackets == 0 && parens == 0 {
				return pattern[:i], pattern[i+1:], true
			}
		}
	}
	return pattern, "", false
}

// once runs one top-level benchmark and all below it with one operation.
func (b Binary) once(ctx context.Context, env []string, l Listing, name, pattern string) ([]Found, []*NotRun, error) {
	ended, err := b.Run(ctx, env, l.Timeout, slices.Concat([]string{
		"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=1x", "-test.count=1", "-test.benchmem", "-test.timeout=0", "-test.paniconexit0", "-test.v",
	}, l.Args)...)
	if err != nil {
		return nil, nil, err
	}
	var found []Found
	for _, result := range ParseResults(ended.Output, l.Processors) {
		if result.Name != "" {
			found = append(found, Found{Name: result.Name, Once: result})
		}
	}
	// Package testing goes on for a moment while a benchmark panics. It may print
	// a result of what was cut short, and even end as if nothing had happened.
	died := lastNamed(ended.Output, l.Processors)
	if died != "" {
		found = slices.DeleteFunc(found, func(f Found) bool { return f.Name == died })
	}
	var failed []*NotRun
	without := func(name, reason string, skipped bool) {
		failed = append(failed, &NotRun{Name: name, Package: b.Package.ImportPath, Version: b.Version, Reason: reason, Output: LastLines(ended.Output, shownLines), Skipped: skipped})
	}
	failing, skipped := marked(ended.Output, failureMark, l.Processors), marked(ended.Output, skipMark, l.Processors)
	for _, one := range failing {
		without(one, "failed", false)
	}
	for _, one := range skipped {
		without(one, "was skipped", true)
	}
	switch {
	case ended.TimedOut:
		without(name, fmt.Sprintf("did not end within %v and was ended", l.Timeout), false)
	case (ended.Code != 0 || died != "") && len(failing) == 0:
		without(name, Reason(ended.Output, ended.Code, ended.Text, len(found) == 0), false)
	case len(found)+len(failed) == 0 && pattern == ExactPattern(name):
		without(name, Reason(ended.Output, ended.Code, ended.Text, true), false)
	}
	return found, failed, nil
}

// lastNamed is the benchmark that was named last at the beginning of a line
// before the output tells of a panic. It is empty where there is no panic.
func lastNamed(output string, processors int) string {
	// A benchmark may print these words as well, but hardly the stacks after them.
	before, after, panicked := strings.Cut("\n"+output, "\npanic: ")
	if !panicked || !strings.Contains(after, "\ngoroutine ") {
		return ""
	}
	last := ""
	for line := range strings.Lines(before) {
		if words := strings.Fields(strings.TrimPrefix(line, "=== RUN ")); len(words) > 0 && isBenchmarkName(words[0]) {
			last = withoutProcessors(words[0], processors)
		}
	}
	return last
}

// marked lists the names that stand behind a mark.
func marked(output, mark string, processors int) []string {
	var names []string
	for line := range strings.Lines(output) {
		if _, rest, ok := strings.Cut(line, mark); ok {
			if words := strings.Fields(rest); len(words) > 0 && isBenchmarkName(words[0]) {
				names = append(names, withoutProcessors(words[0], processors))
			}
		}
	}
	return names
}
