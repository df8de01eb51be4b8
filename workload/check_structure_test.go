package workload

import (
	"fmt"
	"strings"
	"testing"
)

// holder is a map that can be told to misbehave.
func holder(name string, wrong func(m map[uint64]bool, op Op) bool) Structure[map[uint64]bool] {
	return Structure[map[uint64]bool]{
		Name: name,
		New:  func() map[uint64]bool { return map[uint64]bool{} },
		Apply: func(m map[uint64]bool, run []Op) {
			for _, op := range run {
				switch {
				case wrong(m, op):
				case op.Kind == Insert:
					m[op.Key] = true
				case op.Kind == Delete:
					delete(m, op.Key)
				}
			}
		},
	}
}

func has(m map[uint64]bool, key uint64) bool { return m[key] }

func TestCheckStructure(t *testing.T) {
	c := Config{Seed: 3, Lookups: 1, MissRate: 0.2, Updates: 0.5, Scans: 0.1, PermanentChurn: 0.1, Keys: Clustered}
	seventh := fmt.Sprintf("element 7 with key %#x", c.Key(7))
	build, err := Build(300, c)
	if err != nil {
		t.Fatal(err)
	}
	cycle, err := Cycle(300, c)
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	evicts := func(m map[uint64]bool, _ Op) bool {
		if played++; played > len(build)+len(cycle) {
			delete(m, c.Key(7))
		}
		return false
	}
	for name, tt := range map[string]struct {
		wrong func(m map[uint64]bool, op Op) bool
		want  []string
	}{
		"right":        {func(map[uint64]bool, Op) bool { return false }, nil},
		"loses one":    {func(_ map[uint64]bool, op Op) bool { return op.Kind == Insert && op.ID == 7 }, []string{`structure "loses one": after`, "of the build, " + seventh + " is absent and was inserted"}},
		"keeps all":    {func(_ map[uint64]bool, op Op) bool { return op.Kind == Delete }, []string{"is present and was deleted"}},
		"evicts later": {evicts, []string{"of the second cycle, " + seventh + " is absent"}},
		"panics":       {func(_ map[uint64]bool, op Op) bool { panic("too much") }, []string{`Apply of structure "panics" panicked: too much`}},
	} {
		err := CheckStructure(300, holder(name, tt.wrong), c, has)
		if (err != nil) != (tt.want != nil) {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range tt.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}

func TestCheckStructureErrors(t *testing.T) {
	good := holder("good", func(map[uint64]bool, Op) bool { return false })
	noNew, noApply := good, good
	noNew.New, noApply.Apply = nil, nil
	for want, err := range map[string]error{
		"New is nil":      CheckStructure(10, noNew, Config{}, has),
		"Apply is nil":    CheckStructure(10, noApply, Config{}, has),
		"contains is nil": CheckStructure(10, good, Config{}, nil),
		"the target is 0": CheckStructure(0, good, Config{}, has),
		"option Ratio":    CheckStructure(10, good, Config{Ratio: 1}, has),
		"contains of structure \"good\" panicked": CheckStructure(10, good, Config{}, func(map[uint64]bool, uint64) bool { panic("no") }),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
