package workload

// segment is a stretch of operations of one kind.
type segment struct {
	kind     Kind
	from, to int
	// last is set for the last segment of a window.
	last bool
}

// phases is the order of kinds within a window. Insertions come first and
// deletions last, so that whatever was present at its turn in the stream is
// present at its turn in the window.
var phases = [kinds]Kind{Insert, Update, Lookup, LookupMiss, Scan, Delete}

// kindWindow is how many operations are sorted at a time. A window adds up to
// half as many elements to the structure before it takes them out again, which
// has to be little against its size, and a segment has to be long for the clock.
func kindWindow(target int) int { return min(max(target/8, 64), 1024) }

// sortByKind cuts a stream into windows and puts the operations of one kind
// next to each other within each. The result is as valid as the stream, if
// nothing that it looks for in vain is ever inserted.
func sortByKind(ops []Op, window int) (sorted []Op, segments []segment) {
	s := kindSorter{sorted: make([]Op, 0, len(ops)), gone: map[uint32]bool{}}
	held := 0
	for _, op := range ops {
		// An element that went and comes back must not come before it went.
		if held == window || (op.Kind == Insert && s.gone[op.ID]) {
			s.flush()
			held = 0
		}
		if op.Kind == Delete {
			s.gone[op.ID] = true
		}
		s.held[op.Kind] = append(s.held[op.Kind], op)
		held++
	}
	s.flush()
	return s.sorted, s.segments
}

// kindSorter holds the operations of the current window by kind.
type kindSorter struct {
	held     [kinds][]Op
	gone     map[uint32]bool
	sorted   []Op
	segments []segment
}

func (s *kindSorter) flush() {
	for _, kind := range phases {
		if len(s.held[kind]) == 0 {
			continue
		}
		from := len(s.sorted)
		s.sorted = append(s.sorted, s.held[kind]...)
		s.segments = append(s.segments, segment{kind: kind, from: from, to: len(s.sorted)})
		s.held[kind] = s.held[kind][:0]
	}
	if n := len(s.segments); n > 0 {
		s.segments[n-1].last = true
	}
	clear(s.gone)
}
