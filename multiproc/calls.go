package multiproc

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// calls numbers the calls of this package in this process, and keeps what the
// finished ones found. A parent and its child run the same program, so that the
// n-th call at a place in one is the n-th call there in the other; nothing but
// the process as a whole can count that. What the calls found is handed to the
// children of later ones.
var calls = callBook{seen: make(map[string]int), found: make(map[string]Results)}

// callID identifies a call of the program: its place with what it compares, and
// its number among the calls like it, from one.
type callID struct {
	key    string
	number int
}

// String is the form that children get.
func (c callID) String() string { return fmt.Sprintf("%s #%d", c.key, c.number) }

type callBook struct {
	mu    sync.Mutex
	total int
	seen  map[string]int
	found map[string]Results
}

// begin returns the identity of a call that is being made: its place, what it
// compares, and how many calls like it came before. It also reports whether it
// is the first call of the process.
func (b *callBook) begin(place string, names []string) (call callID, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := place
	if len(names) > 0 {
		hash := fnv.New32a()
		for _, name := range names {
			fmt.Fprintf(hash, "%d:%s", len(name), name)
		}
		key = fmt.Sprintf("%s %08x", place, hash.Sum32())
	}
	b.seen[key]++
	b.total++
	return callID{key, b.seen[key]}, b.total == 1
}

// finish keeps what a call found, without the bulk of it.
func (b *callBook) finish(call callID, r Results) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.Comparisons = append([]Comparison(nil), r.Comparisons...)
	for i, c := range r.Comparisons {
		reports := append(c.Reports[:0:0], c.Reports...)
		for k := range reports {
			reports[k].SamplesA, reports[k].SamplesB = nil, nil
		}
		r.Comparisons[i].Reports = reports
	}
	b.found[call.String()] = r
}

// earlier returns what all calls found that have finished.
func (b *callBook) earlier() map[string]Results {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := make(map[string]Results, len(b.found))
	for call, r := range b.found {
		found[call] = r
	}
	return found
}

// forget starts the count of a place over. A test that runs a second time, with
// -count, is one that its children run for the first time.
func (b *callBook) forget(place string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.seen {
		if key == place || strings.HasPrefix(key, place+" ") {
			delete(b.seen, key)
		}
	}
	for call := range b.found {
		if strings.HasPrefix(call, place+" ") {
			delete(b.found, call)
		}
	}
}

// caller is the place outside of this package from which it was called, such as
// "main.main program.go:12 1f0e3dad": the innermost one, and a hash of all that
// led there, so that a helper which several tests share is a place in each.
func caller() place {
	pcs := make([]uintptr, 128)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	p, hash := place{at: "unknown"}, fnv.New32a()
	for first := true; ; {
		frame, more := frames.Next()
		if frame.Function != "" && !strings.HasPrefix(frame.Function, ownPath+".") {
			line := fmt.Sprintf("%s %s:%d", frame.Function, filepath.Base(frame.File), frame.Line)
			fmt.Fprintln(hash, line)
			if first {
				first, p.at = false, line
				if dir := filepath.Dir(frame.File); filepath.IsAbs(dir) {
					p.dir = dir
				}
			}
		}
		if !more {
			p.at = fmt.Sprintf("%s %08x", p.at, hash.Sum32())
			return p
		}
	}
}

// with adds what tells calls at the same place apart.
func (p place) with(names []string) place {
	p.names = names
	return p
}

// ownPath is how this package's functions begin in a stack.
const ownPath = "github.com/rtcompare/rtcompare/multiproc"
