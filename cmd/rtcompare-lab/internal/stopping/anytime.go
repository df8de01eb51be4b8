package stopping

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// anytime is the library's rule, or a variant of it: a confidence sequence over
// units of a fixed number of rounds, a look after every unit.
type anytime struct {
	name string
	// sizing fixes the number of rounds in a unit before the first is judged.
	sizing sizing
	// mean summarises a unit by the mean of its pairs instead of their median.
	mean bool
	// alone leaves out what identical code shows in the units.
	alone bool
	// firstLook is the number of units before which there is no answer.
	firstLook int
	// correlation is an assumed correlation time in units, by whose root the
	// interval is widened. 1 assumes that units are independent.
	correlation float64
	factors     *factors
}

// sizing returns how many rounds a unit has, and the first round that belongs
// to one: those before it were used up by the choice.
type sizing func(all []round) (rounds, start int)

// fixed is a unit of a given number of rounds.
func fixed(rounds int) sizing { return func([]round) (int, int) { return rounds, 0 } }

// factors are the half-widths of the confidence sequence in standard errors, by
// the number of units.
type factors struct {
	errorRate, margin float64
	// wide is the factor at the error rate, narrow that at twice the rate, by
	// which the sides are called the same.
	wide, narrow []float64
}

func newFactors(policy judge.Policy, units int) *factors {
	f := &factors{errorRate: policy.ErrorRate, margin: policy.Margin, wide: make([]float64, units+1), narrow: make([]float64, units+1)}
	for n := range f.wide {
		f.wide[n] = stat.ConfidenceSequenceFactor(n, judge.SequencePrior, policy.ErrorRate)
		f.narrow[n] = stat.ConfidenceSequenceFactor(n, judge.SequencePrior, 2*policy.ErrorRate)
	}
	return f
}

// Name implements Rule.
func (a *anytime) Name() string { return a.name }

// unitLook is the interval after a unit. beyond is its half-width, narrow that
// at twice the error rate.
type unitLook struct {
	rounds                   int
	estimate, beyond, narrow float64
}

type unitCourse struct {
	margin float64
	looks  []unitLook
}

func (a *anytime) follow(t *track) course {
	rounds, start := a.sizing(t.rounds)
	c := unitCourse{margin: a.factors.margin}
	var state running
	for _, u := range t.units(cut{rounds, start, a.mean}) {
		state.add(u)
		if state.count < a.firstLook {
			continue
		}
		error, bias := state.standardError(!a.alone)
		error *= math.Sqrt(a.correlation)
		c.looks = append(c.looks, unitLook{
			rounds: start + state.count*rounds, estimate: state.mean,
			beyond: half(a.factors.wide[state.count], error, bias), narrow: half(a.factors.narrow[state.count], error, bias),
		})
	}
	return c
}

// half is a half-width: never below the bias, and without bound where the
// factor is.
func half(factor, error, bias float64) float64 {
	if math.IsInf(factor, 1) {
		return factor
	}
	return max(factor*error, bias)
}

// running is the state after a number of units. Adding one costs the same
// however many there are.
type running struct {
	count                     int
	mean, squares             float64
	contrast, contrastSquares float64
}

func (r *running) add(u unit) {
	r.count++
	step := u.main - r.mean
	r.mean += step / float64(r.count)
	r.squares += step * (u.main - r.mean)
	r.contrast += u.contrast
	r.contrastSquares += u.contrast * u.contrast
}

// standardError is that of the mean: from the scatter of the units, or from
// what identical code shows where that is larger. bias is the mean of the
// latter.
func (r *running) standardError(identical bool) (standardError, bias float64) {
	n := float64(r.count)
	deviation := math.Sqrt(r.squares / (n - 1))
	if identical {
		deviation = max(deviation, math.Sqrt(r.contrastSquares/n))
		bias = math.Abs(r.contrast) / n
	}
	return deviation / math.Sqrt(n), bias
}

func (c unitCourse) ending(shift float64) (Answer, int) {
	answer, index := first(len(c.looks), func(i int) Answer { return c.answer(i, shift) }, answered)
	if index < 0 {
		return None, 0
	}
	return answer, c.looks[index].rounds
}

func (c unitCourse) everDifferent(shift float64) bool {
	_, index := first(len(c.looks), func(i int) Answer { return c.answer(i, shift) }, Answer.different)
	return index >= 0
}

func (c unitCourse) answer(index int, shift float64) Answer {
	l := c.looks[index]
	switch estimate := l.estimate + shift; {
	case estimate > l.beyond:
		return Slower
	case estimate < -l.beyond:
		return Faster
	case math.Abs(estimate)+l.narrow < c.margin:
		return Same
	}
	return None
}
