package multiproc

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		opt               Options
		wave, first, most int
	}{
		{Options{}, 1, 6, 40},
		{Options{MinProcesses: 7, MaxProcesses: 9}, 1, 8, 9},
		{Options{MinProcesses: 7, MaxProcesses: 9, Rotation: 1}, 1, 7, 9},
		{Options{Parallel: 4}, 4, 8, 40},
		{Options{Parallel: 3}, 4, 8, 40},
		{Options{Parallel: 3, Rotation: 1}, 3, 6, 30},
		{Options{Parallel: 12, MaxProcesses: 30}, 12, 12, 36},
		{Options{Parallel: 12}, 12, 12, 120},
		{Options{MinProcesses: 50}, 1, 50, 50},
		{Options{MinProcesses: 3}, 1, 4, 40},
		{Options{MinProcesses: 8, MaxProcesses: 3}, 1, 8, 8},
		{Options{Layouts: 3}, 1, 6, 6},
		{Options{Layouts: 8}, 1, 16, 16},
		{Options{Layouts: 4, MinProcesses: 9}, 1, 16, 16},
		{Options{Layouts: 4, MinProcesses: 9, Rotation: 1}, 1, 12, 12},
	} {
		s := tt.opt.withDefaults().sizes()
		if s != (sizes{tt.wave, tt.first, tt.most}) {
			t.Errorf("%+v: %+v, want %d %d %d", tt.opt, s, tt.wave, tt.first, tt.most)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{MinProcesses: 2}, "MinProcesses is 2 and has to be at least 3"},
		{Options{MinProcesses: -1}, "MinProcesses is -1"},
		{Options{MaxProcesses: -1}, "MaxProcesses"},
		{Options{Parallel: -1}, "Parallel"},
		{Options{Rotation: -1}, "Rotation"},
		{Options{AbsPrecision: -0.1}, "AbsPrecision"},
		{Options{AbsPrecision: math.NaN()}, "AbsPrecision"},
		{Options{RelPrecision: math.Inf(1)}, "RelPrecision"},
		{Options{Level: 1}, "Level is 1"},
		{Options{Level: -0.5}, "Level"},
		{Options{ChildTimeout: -time.Second}, "ChildTimeout"},
		{Options{Layouts: 2}, "Layouts is 2 and has to be at least 3"},
		{Options{Layouts: 3, Executable: "x"}, "Layouts excludes Executable"},
		{Options{Layouts: 8, MaxProcesses: 10}, "8 layouts take 16 processes"},
	} {
		if err := tt.opt.check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v does not say %q", tt.opt, err, tt.want)
		}
		if _, err := Run(tt.opt, func(*Process) error { return nil }); err == nil {
			t.Errorf("%+v: a run began", tt.opt)
		}
	}
	if err := (Options{}).check(); err != nil {
		t.Error(err)
	}
	if _, err := Run(Options{}, nil); err == nil || !strings.Contains(err.Error(), "suite is nil") {
		t.Errorf("error %v", err)
	}
}

func TestProcessorsAreShared(t *testing.T) {
	for _, tt := range [][3]int{{24, 12, 2}, {24, 4, 6}, {4, 8, 2}, {16, 3, 5}} {
		if got := sharedProcs(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%d processors for %d: %d each, want %d", tt[0], tt[1], got, tt[2])
		}
	}
	none, five := func(string) string { return "" }, func(string) string { return "5" }
	if procs, set := childProcs(1, five); procs != 0 || set {
		t.Error("one at a time is left alone")
	}
	if procs, set := childProcs(2, none); procs < 2 || !set {
		t.Errorf("%d, %v", procs, set)
	}
	if procs, set := childProcs(2, five); procs != 5 || set {
		t.Errorf("%d, %v: the caller's own number counts", procs, set)
	}
}

func TestValidationIsSharedOut(t *testing.T) {
	for first, want := range map[int]int{3: 14, 4: 10, 6: 7, 8: 5, 10: 4, 40: 4} {
		if got := validationShare(first); got != want || got*first < 40 {
			t.Errorf("first stage %d: %d runs each, want %d", first, got, want)
		}
	}
}

func TestSeeds(t *testing.T) {
	seen := make(map[uint64]bool)
	for index := range 100 {
		for attempt := range 3 {
			seed := processSeed(7, index, attempt)
			if seen[seed] {
				t.Fatalf("seed %d twice", seed)
			}
			seen[seed] = true
		}
	}
	// The first numbers of splitmix64 for seed 0.
	if a, b := mix(0), mix(0x9E3779B97F4A7C15); a != 0xe220a8397b1dcdaf || b != 0x6e789e6aa1b965f4 {
		t.Errorf("%#x %#x", a, b)
	}
	lengths, offsets := make(map[int]bool), make(map[uint64]bool)
	for seed := range uint64(2000) {
		n := paddingLength(seed)
		if n < 0 || n > longestPadding {
			t.Fatalf("padding %d", n)
		}
		lengths[n], offsets[stackOffset(seed)] = true, true
	}
	if len(lengths) < 1200 || len(offsets) < 250 {
		t.Errorf("%d lengths and %d offsets in 2000 seeds", len(lengths), len(offsets))
	}
}

func TestRandIsSeeded(t *testing.T) {
	for _, seed := range []uint64{0, 1, randSalt, math.MaxUint64} {
		a, b := &Process{Seed: seed}, &Process{Seed: seed}
		if x, y := a.Rand().Uint64(), b.Rand().Uint64(); x != y {
			t.Errorf("seed %d: %d and %d", seed, x, y)
		}
		if first := a.Rand(); first != a.Rand() {
			t.Error("a second generator")
		}
	}
	if a, b := (&Process{Seed: 1}).Rand().Uint64(), (&Process{Seed: 2}).Rand().Uint64(); a == b {
		t.Error("two seeds, one sequence")
	}
}
