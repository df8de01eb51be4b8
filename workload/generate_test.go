package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// upTo returns the IDs 0 … n-1.
func upTo(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}

func mustCycle(t testing.TB, target int, c Config) []Op {
	t.Helper()
	ops, err := Cycle(target, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(ops, upTo(target), upTo(target)); err != nil {
		t.Fatalf("cycle of %d, %+v: %v", target, c, err)
	}
	return ops
}

func mustBuild(t testing.TB, target int, c Config) []Op {
	t.Helper()
	ops, err := Build(target, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(ops, nil, upTo(target)); err != nil {
		t.Fatalf("build of %d, %+v: %v", target, c, err)
	}
	return ops
}

func count(ops []Op, kind Kind) int {
	n := 0
	for _, op := range ops {
		if op.Kind == kind {
			n++
		}
	}
	return n
}

// switches counts how often an insertion follows a deletion or the reverse.
func switches(ops []Op) int {
	n := 0
	for i := 1; i < len(ops); i++ {
		if ops[i].Kind != ops[i-1].Kind {
			n++
		}
	}
	return n
}

func TestStreamsAreValid(t *testing.T) {
	for _, target := range []int{1, 10, 1000, 20_000} {
		for _, ratio := range []float64{1, 1.01, 1.5, 2, 3} {
			for policy := Uniform; policy <= Adjacent; policy++ {
				t.Run(fmt.Sprintf("%d×%v %v", target, ratio, policy), func(t *testing.T) {
					c := Config{Seed: 7, Ratio: ratio, Victims: policy}
					transient := int(math.Round((ratio - 1) * float64(target)))
					build := mustBuild(t, target, c)
					checkCounts(t, build, target+transient, transient)
					if transient == 0 {
						if _, err := Cycle(target, c); err == nil {
							t.Error("a cycle without transient elements is no error")
						}
						return
					}
					cycle := mustCycle(t, target, c)
					checkCounts(t, cycle, transient, transient)
					if n := switches(cycle); n < transient/20 {
						t.Errorf("insertions and deletions alternate only %d times in %d", n, len(cycle))
					}
				})
			}
		}
	}
}

func checkCounts(t *testing.T, ops []Op, insertions, deletions int) {
	t.Helper()
	if i, d := count(ops, Insert), count(ops, Delete); i != insertions || d != deletions || len(ops) != i+d {
		t.Errorf("%d insertions and %d deletions in %d operations, want %d and %d", i, d, len(ops), insertions, deletions)
	}
}

func TestStreamsAreDeterministic(t *testing.T) {
	everything := Config{Lookups: 0.7, MissRate: 0.2, Updates: 0.3, Scans: 0.1, PermanentChurn: 0.1, Access: Zipf, Keys: Clustered, Victims: Adjacent}
	for _, c := range []Config{{}, everything} {
		again, other := mustCycle(t, 500, c), c
		other.Seed = 1
		if !slices.Equal(mustCycle(t, 500, c), again) {
			t.Errorf("%+v: two cycles differ", c)
		}
		if slices.Equal(mustCycle(t, 500, other), again) {
			t.Errorf("%+v: seeds 0 and 1 give the same cycle", c)
		}
		if !slices.Equal(mustBuild(t, 500, c), mustBuild(t, 500, c)) {
			t.Errorf("%+v: two builds differ", c)
		}
	}
}

// TestDefaultsAreWhatTheySay holds the zero Config against the spelled-out one.
func TestDefaultsAreWhatTheySay(t *testing.T) {
	spelled := Config{
		Ratio: 2, MaxBurst: 16, LiveTarget: 125, MaxScan: 100, ZipfExponent: 0.99, HotElements: 0.2, HotOperations: 0.8, ClusterSize: 64,
	}
	if !slices.Equal(mustCycle(t, 1000, Config{}), mustCycle(t, 1000, spelled)) {
		t.Error("the zero Config gives another cycle than its defaults")
	}
}

// ages returns, for every deletion of a transient element, how many of those
// present were older and how many younger.
func ages(ops []Op) (older, younger []int) {
	var live []uint32
	for _, op := range ops {
		if op.Kind == Insert {
			live = append(live, op.ID)
			continue
		}
		i := slices.Index(live, op.ID)
		older, younger = append(older, i), append(younger, len(live)-1-i)
		live = slices.Delete(live, i, i+1)
	}
	return older, younger
}

func TestPolicies(t *testing.T) {
	for policy := Uniform; policy <= LIFO; policy++ {
		older, younger := ages(mustCycle(t, 4000, Config{Victims: policy}))
		oldest, youngest := slices.Max(older) == 0, slices.Max(younger) == 0
		if oldest != (policy == FIFO) || youngest != (policy == LIFO) {
			t.Errorf("%v: always the oldest %v, always the youngest %v", policy, oldest, youngest)
		}
	}
}

func TestAdjacentVictimsAreNeighbours(t *testing.T) {
	neighbours := func(policy Policy) float64 {
		ops := mustCycle(t, 4000, Config{Victims: policy, LiveTarget: 400})
		near, all := 0, 0
		for i := 1; i < len(ops); i++ {
			if ops[i].Kind == Delete && ops[i-1].Kind == Delete {
				all++
				if d := ops[i].ID - ops[i-1].ID; d < 40 {
					near++
				}
			}
		}
		return float64(near) / float64(all)
	}
	if adjacent, uniform := neighbours(Adjacent), neighbours(Uniform); adjacent < 0.75 || uniform > 0.25 {
		t.Errorf("deletions follow a near neighbour in %.2f of all cases with Adjacent, in %.2f with Uniform", adjacent, uniform)
	}
}

func TestPopulationSettles(t *testing.T) {
	const target = 20_000
	for _, c := range []Config{{}, {LiveTarget: 50}, {LiveTarget: 1000, MaxBurst: 4}, {MaxBurst: 100}, {Victims: FIFO, PermanentChurn: 0.2}} {
		want := float64(c.LiveTarget)
		if want == 0 {
			want = target / 8
		}
		var sizes []int
		live := 0
		for _, op := range mustCycle(t, target, c) {
			switch {
			case op.ID < target:
			case op.Kind == Insert:
				live++
			default:
				live--
			}
			sizes = append(sizes, live)
		}
		middle := sizes[len(sizes)/4 : 3*len(sizes)/4]
		slices.Sort(middle)
		if median := float64(middle[len(middle)/2]); median < want/2 || median > want*2 {
			t.Errorf("%+v: %v transient elements are present in the middle, want about %v", c, median, want)
		}
	}
}
