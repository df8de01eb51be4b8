package stopping

// ladder is several rules at once, of which the first to answer ends the
// comparison: units of several lengths, each fixed beforehand. Together they
// are wrong at most as often as the sum of their error rates.
type ladder struct {
	name  string
	rungs []Rule
}

// Name implements Rule.
func (l *ladder) Name() string { return l.name }

type ladderCourse []course

func (l *ladder) follow(t *track) course {
	courses := make(ladderCourse, len(l.rungs))
	for i, rule := range l.rungs {
		courses[i] = rule.follow(t)
	}
	return courses
}

func (c ladderCourse) ending(shift float64) (Answer, int) {
	earliest, at := None, 0
	for _, rung := range c {
		answer, rounds := rung.ending(shift)
		if answer == None || earliest != None && rounds > at {
			continue
		}
		// A named side says more than Same, where both come at once.
		if earliest == None || rounds < at || answer.different() {
			earliest, at = answer, rounds
		}
	}
	return earliest, at
}

func (c ladderCourse) everDifferent(shift float64) bool {
	for _, rung := range c {
		if rung.everDifferent(shift) {
			return true
		}
	}
	return false
}
