package perfctr

import (
	"encoding/binary"
	"math"
	"testing"
)

func TestScaling(t *testing.T) {
	for _, c := range []struct {
		name        string
		tally       tally
		count       float64
		share       float64
		multiplexed bool
	}{
		{"all the time", tally{700, 50, 50}, 700, 1, false},
		{"a third", tally{700, 60, 20}, 2100, 1.0 / 3, true},
		{"never", tally{0, 60, 0}, math.NaN(), 0, true},
		{"nothing ran", tally{0, 0, 0}, 0, 1, false},
		{"started a moment later", tally{1000, 1e6, 1e6 - 100}, 1000 * 1e6 / (1e6 - 100), 0.9999, false},
	} {
		v := Value{Event: Cycles, tally: c.tally}
		if got := v.Count(); math.Abs(got-c.count) > 1e-9 && !(math.IsNaN(got) && math.IsNaN(c.count)) {
			t.Errorf("%s: count %v, want %v", c.name, got, c.count)
		}
		if math.Abs(v.Share()-c.share) > 1e-12 || v.Multiplexed() != c.multiplexed {
			t.Errorf("%s: share %v, multiplexed %v", c.name, v.Share(), v.Multiplexed())
		}
	}
}

func TestSince(t *testing.T) {
	before := Reading{{Event: Cycles, tally: tally{100, 10, 10}}}
	after := Reading{{Event: Cycles, tally: tally{400, 30, 15}}, {Event: Branches, tally: tally{5, 1, 1}}}
	got := after.Since(before)
	// 300 more while it was counted for 5 of 20: about 1200.
	if got[0].Count() != 1200 || got[0].Share() != 0.25 {
		t.Errorf("%v, share %v", got[0].Count(), got[0].Share())
	}
	if got[1].Count() != 5 {
		t.Errorf("an event that was not read before: %v", got[1].Count())
	}
	if back := before.Since(after); back[0].Count() != 0 {
		t.Errorf("counters do not run backwards: %v", back[0].Count())
	}
	if after[0].tally.count != 400 {
		t.Error("Since changed its receiver")
	}
}

func TestRatiosWithoutCounts(t *testing.T) {
	none := Reading{{Event: Cycles, tally: tally{0, 1, 1}}, {Event: Instructions, tally: tally{5, 1, 1}}, {Event: Branches, Missing: "x"}}
	for name, ratio := range map[string]float64{
		"no cycles": none.InstructionsPerCycle(), "no branches": none.BranchMissShare(),
		"no misses": none.MissesPerInstruction(CacheMisses), "no clock": none.CyclesPerSecond(), "empty": Reading(nil).InstructionsPerCycle(),
	} {
		if !math.IsNaN(ratio) {
			t.Errorf("%s: %v", name, ratio)
		}
	}
}

func TestFind(t *testing.T) {
	for _, e := range Events() {
		if got, ok := Find(e.Name); !ok || got != e {
			t.Errorf("%s: %+v", e.Name, got)
		}
	}
	if _, ok := Find("no-such-event"); ok {
		t.Error("found what is not there")
	}
}

// Two names for one counter would make a table with the same column twice.
func TestEventsDiffer(t *testing.T) {
	type key struct{ kind, config uint64 }
	seen := make(map[key]string)
	for _, e := range Events() {
		k := key{e.kind, e.config}
		if seen[k] != "" {
			t.Errorf("%s and %s are the same event", seen[k], e.Name)
		}
		seen[k] = e.Name
	}
}

func FuzzDecodeGroup(f *testing.F) {
	good := make([]byte, 8*5)
	binary.NativeEndian.PutUint64(good, 2)
	f.Add(good, 2)
	f.Add([]byte{1, 2, 3}, 1)
	f.Add([]byte(nil), 0)
	f.Fuzz(func(t *testing.T, data []byte, events int) {
		if events < 0 || events > 64 {
			return
		}
		tallies, err := decodeGroup(data, events)
		if err == nil && len(tallies) != events {
			t.Errorf("%d tallies of %d events", len(tallies), events)
		}
		for _, tally := range tallies {
			v := Value{Event: Cycles, tally: tally}
			if share := v.Share(); !(share >= 0 && share <= 1) {
				t.Errorf("share %v", share)
			}
			if count := v.Count(); count < 0 {
				t.Errorf("count %v", count)
			}
		}
	})
}
