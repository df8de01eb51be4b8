package benchtext

import (
	"bytes"
	"maps"
	"slices"
)

// Lines that go test prints around results.
var (
	failPrefix = []byte("--- FAIL: ")
	skipPrefix = []byte("--- SKIP: ")
)

// otherLine looks at a line that is neither result, nor configuration, nor
// declaration.
func (r *Reader) otherLine(s *stream, line []byte) {
	if status, ok := statusIn(line); ok && (line[0] == '-') {
		name := bytes.TrimPrefix(firstField(line[len(failPrefix):]), benchmarkPrefix)
		if len(name) < len(firstField(line[len(failPrefix):])) {
			r.notes.failure(Failure{Benchmark: string(name), Package: s.packageName(), Skipped: status, Position: r.position()})
		}
		return
	}
	if bytes.HasPrefix(line, []byte("FAIL\t")) {
		r.notes.failure(Failure{Package: string(firstField(line[5:])), Position: r.position()})
		return
	}
	at := bytes.Index(line, benchmarkPrefix)
	if at <= 0 {
		return
	}
	name, rest := nextField(line[at+len(benchmarkPrefix):])
	if _, certain := resultTail(rest); certain || isResult(rest) {
		r.problem(Suspect, string(name), "a result stands behind other text and was not used")
	}
}

// isResult reports whether a text is a count and pairs, by the rules for whole
// lines.
func isResult(text []byte) bool {
	field, text := nextField(text)
	if _, err := parseCount(field); err != nil || len(field) == 0 || len(text) == 0 {
		return false
	}
	for len(text) > 0 {
		var value, unit []byte
		value, text = nextField(text)
		if unit, text = nextField(text); len(unit) == 0 {
			return false
		}
		if _, err := parseNumber(value); err != nil {
			return false
		}
	}
	return true
}

// statusIn reports whether a text says that a benchmark failed or was skipped.
func statusIn(text []byte) (skipped, ok bool) {
	text = skipSpace(text)
	return bytes.HasPrefix(text, skipPrefix), bytes.HasPrefix(text, skipPrefix) || bytes.HasPrefix(text, failPrefix)
}

// isEnd reports whether go test ends a package with this line, so that no result
// can follow.
func isEnd(line []byte) bool {
	return string(line) == "PASS" || string(line) == "FAIL" ||
		bytes.HasPrefix(line, []byte("ok  \t")) || bytes.HasPrefix(line, []byte("FAIL\t")) ||
		bytes.HasPrefix(line, []byte("exit status "))
}

// packageName is the package of a stream: that of its events, or the last "pkg"
// line.
func (s *stream) packageName() string {
	if s.pkg != "" {
		return s.pkg
	}
	for _, setting := range s.settings.now {
		if setting.Key == "pkg" {
			return setting.Value
		}
	}
	return ""
}

// unitLine takes what stands behind "Unit".
func (r *Reader) unitLine(text []byte) {
	field, text := nextField(text)
	if len(field) == 0 {
		r.problem(Suspect, "", "a Unit line without a unit")
		return
	}
	unit := r.pool.unit(field)
	for len(text) > 0 {
		field, text = nextField(text)
		key, value, ok := bytes.Cut(field, []byte("="))
		if !ok || len(key) == 0 {
			r.problem(Suspect, "", "a Unit line needs key=value, not "+string(shorten(field)))
			continue
		}
		line := UnitLine{Unit: unit, Key: string(key), Value: string(value), Position: r.position()}
		if known := r.notes.declaration(unit.Base, line.Key, ""); known != nil && known.Value != line.Value {
			r.problem(Suspect, "", "the "+line.Key+" of unit "+unit.Written+" is "+known.Value+" already, set at "+known.Position.String())
			continue
		}
		if r.notes.declaration(unit.Base, line.Key, r.file) != nil {
			continue
		}
		if len(r.notes.UnitLines) < maxNotes {
			r.notes.UnitLines = append(r.notes.UnitLines, line)
		}
	}
}

func sortedKeys(packages map[string]*stream) []string { return slices.Sorted(maps.Keys(packages)) }
