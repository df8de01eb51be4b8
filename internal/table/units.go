package table

import "github.com/rtcompare/rtcompare/internal/benchtext"

// units knows what was declared about units.
type units struct {
	declared  map[[2]string]string // unit and key to value
	untrusted []benchtext.UnitLine
}

// newUnits keeps the declarations that count. Whoever writes one of several
// inputs must not change how the others are judged, so a declaration counts
// where all inputs agree or where the user trusts them.
func newUnits(lines []benchtext.UnitLine, trust bool, inputs map[string]bool) units {
	u := units{declared: map[[2]string]string{}}
	files := map[benchtext.UnitLine]map[string]bool{}
	at := func(l benchtext.UnitLine) benchtext.UnitLine {
		return benchtext.UnitLine{Unit: benchtext.Unit{Base: l.Unit.Base}, Key: l.Key, Value: l.Value}
	}
	for _, l := range lines {
		if files[at(l)] == nil {
			files[at(l)] = map[string]bool{}
		}
		files[at(l)][l.Position.File] = true
	}
	for _, l := range lines {
		everywhere := true
		for input := range inputs {
			everywhere = everywhere && files[at(l)][input]
		}
		key := [2]string{l.Unit.Base, l.Key}
		if _, ok := u.declared[key]; ok {
			continue
		}
		if !trust && !everywhere {
			u.untrusted = append(u.untrusted, l)
			continue
		}
		u.declared[key] = l.Value
	}
	return u
}

// of returns what is known about a unit.
func (u units) of(name string) Unit {
	base := benchtext.BaseUnit(name)
	unit := Unit{Name: name, Better: usuallyBetter(base), Exact: u.declared[[2]string{base, "assume"}] == "exact"}
	switch better, ok := u.declared[[2]string{base, "better"}]; {
	case !ok:
	case better == "higher":
		unit.Better = +1
	case better == "lower":
		unit.Better = -1
	default:
		unit.Better = 0
	}
	return unit
}

// usuallyBetter is the direction of the units that go test itself prints.
func usuallyBetter(base string) int {
	switch base {
	case "sec/op", "B/op", "allocs/op":
		return -1
	case "B/s":
		return +1
	}
	return 0
}

// countsExactly reports whether a unit counts things that a program does the
// same number of times in every run, unless the values show that it does not.
func countsExactly(u Unit) bool {
	return u.Exact || u.Name == "B/op" || u.Name == "allocs/op"
}
