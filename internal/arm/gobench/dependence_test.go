package gobench

import (
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
)

// batches are samples of a benchmark that is busy all the time.
func batches(walls ...int64) []engine.Sample {
	samples := make([]engine.Sample, len(walls))
	for i, wall := range walls {
		samples[i] = engine.Sample{Wall: wall, CPU: wall}
	}
	return samples
}

func TestDependenceOnTheNumberOfOperations(t *testing.T) {
	waiting := numberPairs{
		n: 100, few: []engine.Sample{{Wall: 1000, CPU: 3}, {Wall: 1000, CPU: 600}, {Wall: 1000}},
		many: []engine.Sample{{Wall: 10000}, {Wall: 10000}, {Wall: 40000}},
	}
	stretched := numberPairs{n: 100, few: batches(1000, 1000, 1000), many: batches(10000, 10000, 10000)}
	for i := range stretched.many[1:] {
		stretched.many[i].Wall *= 4 // other programs ran meanwhile
	}
	// Both are disturbed, and processor time alone tells them apart.
	disturbed := numberPairs{n: 100, few: batches(1000, 1000, 1000, 1000), many: batches(30000, 30000, 30000, 30000)}
	for i := range disturbed.few[1:] {
		disturbed.few[i].Wall *= 5
	}
	for name, test := range map[string]struct {
		pairs numberPairs
		want  string
	}{
		"the same":          {numberPairs{n: 100, few: batches(1000, 1010, 990), many: batches(10000, 10100, 9900)}, ""},
		"a little":          {numberPairs{n: 100, few: batches(1000, 1000, 1000), many: batches(10400, 10400, 10400)}, ""},
		"more":              {numberPairs{n: 100, few: batches(1000, 1000, 1000), many: batches(11000, 11000, 11000)}, "+10%"},
		"less":              {numberPairs{n: 100, few: batches(1000, 1000, 1000), many: batches(5000, 5000, 5000)}, "-50%"},
		"one outlier":       {numberPairs{n: 100, few: batches(1000, 1000, 1000, 1000), many: batches(9990, 9990, 9990, 40000)}, ""},
		"collections":       {numberPairs{n: 100, few: batches(500, 500, 500, 2500), many: batches(10000, 10000, 10000, 10000)}, ""},
		"mostly waiting":    {waiting, ""},
		"stretched batches": {stretched, ""},
		"disturbed":         {disturbed, "+200%"},
	} {
		got := test.pairs.dependent()
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
