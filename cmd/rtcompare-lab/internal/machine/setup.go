package machine

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/rtcompare/rtcompare"
)

// Setup is what every experiment is given.
type Setup struct {
	Context context.Context
	Seed    uint64
	// Runs is the number of comparisons per row.
	Runs int
	// Only, where not empty, leaves out workloads and pairs whose name does not
	// contain it.
	Only string
	// Progress, where set, is told how many runs of a named row are done.
	Progress func(name string, done, total int)
}

// random is a generator for one fixture: equal for equal names and numbers.
func (s Setup) random(name string, number int) *rand.Rand {
	label := fnv.New64a()
	fmt.Fprintf(label, "%s %d", name, number)
	return rand.New(rand.NewPCG(s.Seed, label.Sum64()))
}

func (s Setup) wanted(name string) bool { return strings.Contains(name, s.Only) }

func (s Setup) progress(name string, done, total int) {
	if s.Progress != nil {
		s.Progress(name, done, total)
	}
}

// compare runs one comparison and says which one failed.
func (s Setup) compare(name string, a, b rtcompare.Candidate, opt rtcompare.CompareOptions) (rtcompare.Report, error) {
	report, err := rtcompare.CompareContext(s.Context, a, b, opt)
	if err != nil {
		return report, fmt.Errorf("comparing %s: %w", name, err)
	}
	return report, nil
}

// tally counts verdicts.
type tally struct {
	a, b, equivalent, inconclusive, unmeasurable int
	seconds                                      float64
}

func (t *tally) add(r rtcompare.Report) {
	switch r.Decision.Verdict {
	case rtcompare.AFaster:
		t.a++
	case rtcompare.BFaster:
		t.b++
	case rtcompare.Equivalent:
		t.equivalent++
	case rtcompare.Unmeasurable:
		t.unmeasurable++
	default:
		t.inconclusive++
	}
	t.seconds += r.Protocol.Duration.Seconds()
}

func (t tally) runs() int { return t.a + t.b + t.equivalent + t.inconclusive + t.unmeasurable }

func (t tally) meanSeconds() float64 { return t.seconds / float64(max(1, t.runs())) }

// cells are the columns of verdictColumns.
func (t tally) cells() []any {
	return []any{t.runs(), t.a, t.b, t.equivalent, t.inconclusive, t.unmeasurable, fmt.Sprintf("%.2f", t.meanSeconds())}
}

var verdictColumns = []string{"runs", "A faster", "B faster", "equivalent", "inconclusive", "unmeasurable", "seconds each"}
