package stopping

import (
	"math"
	"slices"
)

// ladder is the library's rule with units of several lengths at once, each
// fixed beforehand and each at its share of the error rate. Its interval is
// what all of them agree on.
type ladder struct {
	name  string
	rungs []*anytime
}

// Name implements Rule.
func (l *ladder) Name() string { return l.name }

// ladderLook is the interval after a unit of some rung. same is the one at twice
// the error rate, by which the sides are called the same.
type ladderLook struct {
	rounds            int
	low, high         float64
	sameLow, sameHigh float64
}

type ladderCourse struct {
	margin float64
	looks  []ladderLook
}

func (l *ladder) follow(t *track) course {
	courses := make([][]unitLook, len(l.rungs))
	var moments []int
	for i, rule := range l.rungs {
		courses[i] = rule.follow(t).(unitCourse).looks
		for _, look := range courses[i] {
			moments = append(moments, look.rounds)
		}
	}
	slices.Sort(moments)
	c := ladderCourse{margin: l.rungs[0].factors.margin}
	now := make([]int, len(l.rungs)) // the looks of each rung so far
	for _, rounds := range slices.Compact(moments) {
		wide, narrow := everything(), everything()
		for i, looks := range courses {
			for now[i] < len(looks) && looks[now[i]].rounds <= rounds {
				now[i]++
			}
			if now[i] > 0 {
				last := looks[now[i]-1]
				wide.narrow(last.estimate, last.beyond)
				narrow.narrow(last.estimate, last.narrow)
			}
		}
		c.looks = append(c.looks, ladderLook{rounds, wide.lower(), wide.upper(), narrow.lower(), narrow.upper()})
	}
	return c
}

// bounds are what several intervals agree on.
type bounds struct{ low, high float64 }

func everything() bounds { return bounds{math.Inf(-1), math.Inf(1)} }

// narrow takes in another interval.
func (b *bounds) narrow(estimate, half float64) {
	b.low, b.high = max(b.low, estimate-half), min(b.high, estimate+half)
}

// Intervals that contradict each other leave what lies between them.
func (b bounds) lower() float64 { return min(b.low, b.high) }
func (b bounds) upper() float64 { return max(b.low, b.high) }

func (c ladderCourse) answer(index int, shift float64) Answer {
	l := c.looks[index]
	switch {
	case l.low+shift > 0:
		return Slower
	case l.high+shift < 0:
		return Faster
	case l.sameLow+shift > -c.margin && l.sameHigh+shift < c.margin:
		return Same
	}
	return None
}

func (c ladderCourse) ending(shift float64) (Answer, int) {
	answer, index := first(len(c.looks), func(i int) Answer { return c.answer(i, shift) }, answered)
	if index < 0 {
		return None, 0
	}
	return answer, c.looks[index].rounds
}

func (c ladderCourse) everDifferent(shift float64) bool {
	_, index := first(len(c.looks), func(i int) Answer { return c.answer(i, shift) }, Answer.different)
	return index >= 0
}
