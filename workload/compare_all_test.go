package workload

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// stringMap has keys and values of other types.
func stringMap(name string, offences *int) TypedStructure[map[string]uint64, pair] {
	return TypedStructure[map[string]uint64, pair]{
		Name:  name,
		New:   func() map[string]uint64 { return map[string]uint64{} },
		Value: func(op Op, index int) pair { return pair{fmt.Sprint(op.Key), op.Value(index)} },
		Apply: func(m map[string]uint64, run []Op, values []pair) {
			for i, op := range run {
				if fmt.Sprint(op.Key) != values[i].key {
					*offences++
				}
				switch op.Kind {
				case Insert, Update:
					m[values[i].key] = values[i].value
				case Delete:
					delete(m, values[i].key)
				case Lookup:
					if m[values[i].key] == 0 {
						*offences++
					}
				}
			}
		},
	}
}

type pair struct {
	key   string
	value uint64
}

func TestCompareAllTakesDifferentTypes(t *testing.T) {
	a, ja := spied("set")
	if name := Bind(a).Name(); name != "set" {
		t.Errorf("the subject's name is %q", name)
	}
	c, jc := spied("")
	offences := 0
	opt := quick()
	opt.Config.Lookups, opt.Config.Updates, opt.Config.Scans = 0.5, 0.25, 0.1
	opt.MemoryBuilds, opt.KindTime = 3, 100*time.Millisecond
	r, err := CompareAll(context.Background(), 500, []Subject{Bind(a), BindTyped(stringMap("strings", &offences)), Bind(c)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	ja.check(t)
	jc.check(t)
	if offences > 0 {
		t.Errorf("%d operations came with the values of others, or found none", offences)
	}
	if len(r.SteadyState.Reports) != 2 || len(r.Build.Reports) != 2 || len(r.Memory) != 3 || len(r.Kinds) != 3 || !slices.Equal(r.Names, []string{"set", "strings", ""}) {
		t.Errorf("%+v", r)
	}
	text := r.String()
	for _, want := range []string{"strings: ", "Memory: ", "Kinds: ", "  strings, update: ", "times as long as set", "  C, scan: "} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

func TestFreshInstances(t *testing.T) {
	a, ja := spied("a")
	b, jb := spied("b")
	opt := quick()
	opt.SkipBuild, opt.FreshInstances = true, true
	if _, err := Compare(100, a, b, opt); err != nil {
		t.Fatal(err)
	}
	ja.check(t)
	jb.check(t)
	// Two runs of identical code with two instances each, and the series.
	if want := 2*2 + 1; ja.instances != want || jb.instances != want {
		t.Errorf("%d and %d instances, want %d", ja.instances, jb.instances, want)
	}
}

func TestGoroutines(t *testing.T) {
	a, ja := spied("a")
	b, jb := spied("b")
	opt := quick()
	opt.Goroutines, opt.Readers = 3, 2
	opt.SteadyState.Collect.InnerLoops = 0
	opt.Config.Lookups, opt.Config.MissRate, opt.Config.Keys = 0.5, 0.2, Clustered
	r, err := Compare(301, a, b, opt)
	if err != nil {
		t.Fatal(err)
	}
	ja.check(t)
	jb.check(t)
	if r.CycleOps < 3*300 || r.BuildOps < 4*300 {
		t.Errorf("%d operations in all cycles, %d in all builds", r.CycleOps, r.BuildOps)
	}
	if batch := r.SteadyState.NsPerOpA * float64(r.SteadyState.Protocol.InnerLoops); batch < shortestTogether/10 {
		t.Errorf("a batch takes %v ns, too short for several goroutines", batch)
	}
}

// TestTeamRunsAtTheSameTime: every member waits for all the others.
func TestTeamRunsAtTheSameTime(t *testing.T) {
	const members = 4
	var meeting sync.WaitGroup
	meeting.Add(members)
	var replays []*Replay
	for range members {
		replays = append(replays, NewReplay(numbered(5), func([]Op) { meeting.Done(); meeting.Wait() }))
	}
	team := newTeam(replays)
	defer team.stop()
	done := make(chan bool)
	go func() { team.batch(members); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the members do not run together")
	}
}

func TestTeamSharesTheWork(t *testing.T) {
	var counts [3]int
	var replays []*Replay
	for i := range counts {
		replays = append(replays, NewReplay(numbered(100), func(run []Op) { counts[i] += len(run) }))
	}
	team := newTeam(replays)
	defer team.stop()
	for _, n := range []uint64{0, 1, 7, 300} {
		team.batch(n)
	}
	if counts != [3]int{1 + 3 + 100, 2 + 100, 2 + 100} {
		t.Errorf("shares %v", counts)
	}
	team.Settle()
	if counts != [3]int{200, 200, 200} {
		t.Errorf("after settling %v", counts)
	}
}

// TestMemoryFindsWhatIsThere weighs structures of known sizes.
func TestMemoryFindsWhatIsThere(t *testing.T) {
	boxes := func(name string, size int) Subject {
		return Bind(Structure[map[uint64][]byte]{
			Name: name,
			New:  func() map[uint64][]byte { return map[uint64][]byte{} },
			Apply: func(m map[uint64][]byte, run []Op) {
				for _, op := range run {
					switch op.Kind {
					case Insert:
						m[op.Key] = make([]byte, size)
					case Delete:
						delete(m, op.Key)
					}
				}
			},
		})
	}
	opt := quick()
	opt.MemoryBuilds = 3
	tr, err := newTrial(4000, []Subject{boxes("small", 64), boxes("large", 512)}, opt, false)
	if err != nil {
		t.Fatal(err)
	}
	m, err := tr.memory(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := m[1].BytesPerElement - m[0].BytesPerElement; d < 440 || d > 456 {
		t.Errorf("boxes of 512 bytes take %.1f bytes more than those of 64", d)
	}
	for _, s := range m {
		if s.ObjectsPerElement < 1 || s.ObjectsPerElement > 1.2 || s.BytesAfterCycle < 0.9*s.BytesPerElement || s.Elements != 4000 || s.Builds != 3 {
			t.Errorf("%+v", s)
		}
	}
}

// TestKindsFindWhatIsSlow makes one kind of operation of one structure slow.
func TestKindsFindWhatIsSlow(t *testing.T) {
	spinner := func(name string, slow Kind, rounds int) Subject {
		return Bind(Structure[*uint64]{
			Name: name,
			New:  func() *uint64 { return new(uint64) },
			Apply: func(x *uint64, run []Op) {
				for _, op := range run {
					n := 5
					if op.Kind == slow {
						n = rounds
					}
					for range n {
						*x = *x*gamma + op.Key
					}
				}
			},
		})
	}
	opt := quick()
	opt.Config.Lookups, opt.Config.MissRate = 1, 0.5
	var costs [][]KindCost
	// As long as it takes for an interval, on a slow machine too.
	for opt.KindTime = 100 * time.Millisecond; opt.KindTime < time.Minute; opt.KindTime *= 2 {
		tr, err := newTrial(500, []Subject{spinner("even", Insert, 5), spinner("slow", Delete, 100)}, opt, false)
		if err != nil {
			t.Fatal(err)
		}
		if costs, err = tr.kinds(context.Background()); err != nil {
			t.Fatal(err)
		}
		if costs[1][0].Samples >= rtcompare.MinimumDataPoints {
			break
		}
	}
	if len(costs[0]) != 4 || len(costs[1]) != 4 {
		t.Fatalf("%+v", costs)
	}
	for i, c := range costs[1] {
		if c.Kind != Kind(i) || c.Samples < rtcompare.MinimumDataPoints || c.Ops < 450 || costs[0][i].Against.Level != 0 {
			t.Errorf("%+v", c)
		}
		ratio, low, high := c.Against.Ratio()
		if want := 20.0; c.Kind == Delete && (ratio < want/4 || ratio > want*4 || low < 2) {
			t.Errorf("deletions take %.2f [%.2f, %.2f] times as long, want about %v", ratio, low, high, want)
		}
		if c.Kind != Delete && (ratio < 0.5 || ratio > 2) {
			t.Errorf("%v: %.2f times as long, want about 1", c.Kind, ratio)
		}
	}
}

func TestSortedByKind(t *testing.T) {
	ops := mustCycle(t, 3000, Config{Lookups: 1, Updates: 0.5, Scans: 0.1, MissRate: 0.2, PermanentChurn: 0.3})
	sorted, segments := sortByKind(ops, 256)
	if err := Check(sorted, upTo(3000), upTo(3000)); err != nil {
		t.Fatal(err)
	}
	covered := 0
	for _, s := range segments {
		if s.from != covered || s.to <= s.from || s.to-s.from > 256 {
			t.Fatalf("segment %+v follows %d", s, covered)
		}
		for _, op := range sorted[s.from:s.to] {
			if op.Kind != s.kind {
				t.Fatalf("a %v in a segment of %v", op.Kind, s.kind)
			}
		}
		covered = s.to
	}
	if covered != len(ops) || !segments[len(segments)-1].last {
		t.Errorf("%d of %d operations are covered", covered, len(ops))
	}
	if mean := float64(len(ops)) / float64(len(segments)); mean < 10 {
		t.Errorf("segments hold only %.1f operations", mean)
	}
}
