package workload

import "slices"

// streams are all that a comparison plays, in one list: the builds of all
// goroutines, their cycles, what readers read, and the cycle sorted by kind.
type streams struct {
	all                    [][]Op
	target, parts, readers int
	// segments cut the sorted cycle, which is the last stream; none where the
	// kinds are not asked for.
	segments []segment
}

func newStreams(target int, opt Options) (streams, error) {
	s := streams{target: target, parts: opt.parts(), readers: opt.Readers}
	builds, err := BuildParts(target, s.parts, opt.Config)
	if err != nil {
		return s, err
	}
	cycles, err := CycleParts(target, s.parts, opt.Config)
	if err != nil {
		return s, err
	}
	s.all = append(builds, cycles...)
	if s.readers > 0 {
		reads, err := Reads(target, s.readers, len(cycles[0]), opt.Config)
		if err != nil {
			return s, err
		}
		s.all = append(s.all, reads...)
	}
	if opt.KindTime > 0 {
		sorted, segments := sortByKind(slices.Concat(cycles...), kindWindow(target))
		s.all, s.segments = append(s.all, sorted), segments
	}
	return s, nil
}

func (s *streams) builds() [][]Op { return s.all[:s.parts] }
func (s *streams) cycles() [][]Op { return s.all[s.parts : 2*s.parts] }

// playing lists the streams of the steady state: cycles, then reads.
func (s *streams) playing() []int {
	list := make([]int, s.parts+s.readers)
	for i := range list {
		list[i] = s.parts + i
	}
	return list
}

func length(streams [][]Op) int {
	sum := 0
	for _, ops := range streams {
		sum += len(ops)
	}
	return sum
}

// ofKind counts the operations of a kind in all cycles.
func (s *streams) ofKind(kind Kind) int {
	n := 0
	for _, ops := range s.cycles() {
		for _, op := range ops {
			if op.Kind == kind {
				n++
			}
		}
	}
	return n
}
