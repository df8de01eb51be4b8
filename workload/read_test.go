package workload

import (
	"math"
	"slices"
	"testing"
)

func TestChurnAndLookups(t *testing.T) {
	const target = 10_000
	c := Config{PermanentChurn: 0.2, Lookups: 1, MissRate: 0.25}
	for name, ops := range map[string][]Op{"cycle": mustCycle(t, target, c), "build": mustBuild(t, target, c)} {
		permanent := 0
		for _, op := range ops {
			if op.Kind == Delete && op.ID < target {
				permanent++
			}
		}
		mutations, lookups, misses := count(ops, Insert)+count(ops, Delete), count(ops, Lookup), count(ops, LookupMiss)
		if share := float64(permanent) / float64(count(ops, Delete)); share < 0.12 || share > 0.22 {
			t.Errorf("%s: %.3f of the deletions hit a permanent element", name, share)
		}
		if all := lookups + misses; all != mutations && all != mutations-1 {
			t.Errorf("%s: %d lookups for %d mutations", name, all, mutations)
		}
		if share := float64(misses) / float64(lookups+misses); math.Abs(share-0.25) > 0.03 {
			t.Errorf("%s: %.3f of the lookups miss", name, share)
		}
	}
	for _, kind := range []Kind{Lookup, LookupMiss, Update, Scan} {
		if count(mustCycle(t, 1000, Config{}), kind) > 0 {
			t.Errorf("the default stream has a %v", kind)
		}
	}
}

func TestUpdatesAndScans(t *testing.T) {
	c := Config{Lookups: 0.5, Updates: 1.5, Scans: 0.25, MaxScan: 7}
	ops := mustCycle(t, 5000, c)
	mutations := float64(count(ops, Insert) + count(ops, Delete))
	for kind, rate := range map[Kind]float64{Lookup: 0.5, Update: 1.5, Scan: 0.25} {
		if n := float64(count(ops, kind)); math.Abs(n-rate*mutations) > 2 {
			t.Errorf("%v: %v for %v mutations, want %v each", kind, n, mutations, rate)
		}
	}
	lengths := map[uint32]int{}
	for _, op := range ops {
		if op.Kind == Scan {
			lengths[op.ID]++
		}
	}
	for length := uint32(1); length <= 7; length++ {
		if n := lengths[length]; n < 250 || n > 470 {
			t.Errorf("%d scans of %d elements among %d", n, length, count(ops, Scan))
		}
	}
	if len(lengths) != 7 {
		t.Errorf("scan lengths: %v", lengths)
	}
}

// readsPerElement counts how often each permanent element is read, most first.
func readsPerElement(ops []Op, target int) []float64 {
	reads := make([]float64, target)
	for _, op := range ops {
		if op.Kind == Lookup && int(op.ID) < target {
			reads[op.ID]++
		}
	}
	slices.SortFunc(reads, func(a, b float64) int { return int(b - a) })
	return reads
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func TestAccess(t *testing.T) {
	const target = 1000
	for _, test := range []struct {
		config   Config
		elements int // the most popular ones
		low      float64
		high     float64 // share of the reads that go there
	}{
		{Config{Access: Even}, 200, 0.2, 0.27}, // the luckiest 200 of equal ones
		{Config{Access: Hot}, 200, 0.75, 0.9},
		{Config{Access: Hot, HotElements: 0.01, HotOperations: 0.5}, 10, 0.4, 0.55},
		{Config{Access: Zipf}, 10, 0.3, 0.5},
		{Config{Access: Zipf, ZipfExponent: 2}, 10, 0.85, 0.98},
	} {
		c := test.config
		c.Lookups = 20
		// Few transient elements, so that hardly any popularity goes to them.
		c.Ratio, c.LiveTarget = 1.5, 10
		reads := readsPerElement(mustCycle(t, target, c), target)
		if share := sum(reads[:test.elements]) / sum(reads); share < test.low || share > test.high {
			t.Errorf("%v: %d of %d elements get %.3f of the reads, want %v to %v", c.Access, test.elements, target, share, test.low, test.high)
		}
	}
}

// TestTransientElementsArePopularToo: a place of the crowd is as likely to be
// popular whatever sort of element is there.
func TestTransientElementsArePopularToo(t *testing.T) {
	const target = 1000
	c := Config{Access: Hot, Lookups: 5, Ratio: 10, LiveTarget: 1000}
	transient, all := 0, 0
	ops := mustCycle(t, target, c)
	for _, op := range ops[len(ops)/3 : 2*len(ops)/3] {
		if op.Kind == Lookup {
			all++
			if op.ID >= target {
				transient++
			}
		}
	}
	if share := float64(transient) / float64(all); share < 0.35 || share > 0.65 {
		t.Errorf("half of the elements are transient and get %.2f of the reads", share)
	}
}

func TestReads(t *testing.T) {
	const target = 500
	c := Config{Seed: 2, Lookups: 3, Scans: 1, MissRate: 0.3, Access: Zipf}
	streams, err := Reads(target, 3, 4000, c)
	if err != nil {
		t.Fatal(err)
	}
	for i, ops := range streams {
		if len(ops) != 4000 || count(ops, Insert)+count(ops, Delete)+count(ops, Update) > 0 {
			t.Errorf("reader %d: %d operations, or some that are no reads", i, len(ops))
		}
		if err := Check(ops, upTo(target), upTo(target)); err != nil {
			t.Errorf("reader %d: %v", i, err)
		}
		if n := count(ops, Scan); n < 900 || n > 1100 {
			t.Errorf("reader %d: %d scans of 4000", i, n)
		}
		if n := count(ops, LookupMiss); n < 800 || n > 1000 {
			t.Errorf("reader %d: %d misses of 4000", i, n)
		}
	}
	if slices.Equal(streams[0], streams[1]) {
		t.Error("two readers read the same")
	}
	if ops, _ := Reads(target, 1, 100, Config{}); count(ops[0], Lookup) != 100 {
		t.Error("without rates not all are lookups")
	}
	for _, bad := range []func() ([][]Op, error){
		func() ([][]Op, error) { return Reads(target, 0, 1, c) },
		func() ([][]Op, error) { return Reads(target, 1, -1, c) },
		func() ([][]Op, error) { return Reads(target, 1, 1, Config{PermanentChurn: 0.1}) },
		func() ([][]Op, error) { return Reads(0, 1, 1, c) },
		func() ([][]Op, error) { return Reads(target, 1, 1, Config{MissRate: 2}) },
	} {
		if _, err := bad(); err == nil {
			t.Error("a bad argument is no error")
		}
	}
}

// TestPartsAreDisjoint plays the parts in turns, in one model together with
// readers.
func TestPartsAreDisjoint(t *testing.T) {
	for _, target := range []int{7, 1000, 1003} {
		c := Config{Seed: 3, Ratio: 3, Lookups: 1, MissRate: 0.2, Updates: 0.2, Keys: Sequential}
		builds, err := BuildParts(target, 4, c)
		if err != nil {
			t.Fatal(err)
		}
		cycles, err := CycleParts(target, 4, c)
		if err != nil {
			t.Fatal(err)
		}
		reads, err := Reads(target, 2, 500, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(inTurns(builds), nil, upTo(target)); err != nil {
			t.Errorf("builds of %d: %v", target, err)
		}
		if err := Check(inTurns(append(cycles, reads...)), upTo(target), upTo(target)); err != nil {
			t.Errorf("cycles of %d: %v", target, err)
		}
	}
	one, err := CycleParts(300, 1, Config{})
	if err != nil || !slices.Equal(one[0], mustCycle(t, 300, Config{})) {
		t.Errorf("the only part is not the cycle (%v)", err)
	}
	for _, parts := range []int{0, -1, 301} {
		if _, err := CycleParts(300, parts, Config{}); err == nil {
			t.Errorf("%d parts of 300 are no error", parts)
		}
	}
}

// inTurns merges streams, a few operations of each at a time.
func inTurns(streams [][]Op) []Op {
	var merged []Op
	for left := true; left; {
		left = false
		for i, ops := range streams {
			n := min(3, len(ops))
			merged, streams[i] = append(merged, ops[:n]...), ops[n:]
			left = left || len(ops) > n
		}
	}
	return merged
}
