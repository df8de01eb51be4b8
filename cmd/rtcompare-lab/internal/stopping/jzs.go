package stopping

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/stat/bayes"
)

// jzs is finefile's rule, a look after every round.
type jzs struct {
	name string
	rule bayes.Rule
	// fromStart cuts the batches from the first round on and leaves out the
	// newest, where the rule itself leaves out the oldest.
	fromStart bool
	bounds    []batchBounds
}

// batchBounds are what a number of batches needs for an answer. They spare most
// looks the integral.
type batchBounds struct {
	// different is the t at which a difference is certain enough.
	different float64
	// least is the probability of a difference at a t of zero.
	least float64
	// near is how many standard errors the margin has to be for the sides to be
	// the same at a t of zero, beyond how far t may exceed the margin then.
	near, beyond float64
}

// JZS returns finefile's rule with a margin, for comparisons of up to a number
// of rounds.
func JZS(name string, minEffect float64, rounds int) Rule {
	rule := bayes.DefaultRule()
	rule.MinEffect, rule.MaxRounds = minEffect, rounds
	return newJZS(name, rule)
}

func newJZS(name string, rule bayes.Rule) *jzs {
	most := 0
	for n := rule.MinRounds; n <= rule.MaxRounds; n++ {
		most = max(most, n/bayes.BatchSize(n, rule.BatchRounds))
	}
	j := &jzs{name: name, rule: rule, bounds: make([]batchBounds, most+1)}
	for batches := 2; batches <= most; batches++ {
		j.bounds[batches] = boundsFor(batches, rule)
	}
	return j
}

func boundsFor(batches int, rule bayes.Rule) batchBounds {
	degrees := float64(batches - 1)
	least := probability(0, batches, rule)
	low, high := 0.0, 1e6
	for range 80 {
		middle := (low + high) / 2
		if probability(middle, batches, rule) >= rule.Certainty {
			high = middle
		} else {
			low = middle
		}
	}
	enough := min(1, (1-rule.Certainty)/least)
	return batchBounds{
		different: high, least: least,
		near: -stat.StudentQuantile(enough/2, degrees), beyond: stat.StudentQuantile(enough, degrees),
	}
}

// probability is that of a difference.
func probability(t float64, batches int, rule bayes.Rule) float64 {
	return 1 / (1 + math.Exp(-bayes.LogBayesFactor(t, batches, rule.PriorScale)))
}

// Name implements Rule.
func (j *jzs) Name() string { return j.name }

// jzsLook is the state of the batches after a round. The estimate is the log
// ratio of b over a, which is the rule's own with the sign of times.
type jzsLook struct {
	estimate, standardError float64
	batches                 int
}

type jzsCourse struct {
	rule  *jzs
	looks []jzsLook
}

func (j *jzs) follow(t *track) course {
	sums := make([]float64, len(t.rounds)+1)
	for i, r := range t.rounds {
		sums[i+1] = sums[i] + r.difference()
	}
	c := jzsCourse{rule: j}
	for n := j.rule.MinRounds; n <= min(len(t.rounds), j.rule.MaxRounds); n++ {
		size := bayes.BatchSize(n, j.rule.BatchRounds)
		batches := n / size
		start := n - batches*size
		if j.fromStart {
			start = 0
		}
		c.looks = append(c.looks, batchesOf(sums, start, size, batches))
	}
	return c
}

// batchesOf is the look at batches of sums that begin at a round.
func batchesOf(sums []float64, start, size, batches int) jzsLook {
	mean := (sums[start+batches*size] - sums[start]) / float64(batches*size)
	squares := 0.0
	for i := range batches {
		deviation := (sums[start+(i+1)*size]-sums[start+i*size])/float64(size) - mean
		squares += deviation * deviation
	}
	return jzsLook{mean, math.Sqrt(squares / float64(batches-1) / float64(batches)), batches}
}

func (c jzsCourse) ending(shift float64) (Answer, int) {
	answer, index := first(len(c.looks), func(i int) Answer { return c.rule.answer(c.looks[i], shift) }, answered)
	return answer, index + c.rule.rule.MinRounds
}

func (c jzsCourse) everDifferent(shift float64) bool {
	_, index := first(len(c.looks), func(i int) Answer { return c.rule.difference(c.looks[i], shift) }, Answer.different)
	return index >= 0
}

func (j *jzs) answer(l jzsLook, shift float64) Answer {
	if a := j.difference(l, shift); a != None {
		return a
	}
	if j.same(l, shift) {
		return Same
	}
	return None
}

// difference is the answer of a look as far as it names a slower side.
func (j *jzs) difference(l jzsLook, shift float64) Answer {
	estimate := l.estimate + shift
	t := math.Abs(estimate) / l.standardError
	if t < j.bounds[l.batches].different {
		return None
	}
	if j.rule.MinEffect > 0 {
		beyond := beyondMargin(t, j.margin(l), l.batches)
		if beyond < j.rule.Certainty || probability(t, l.batches, j.rule)*beyond < j.rule.Certainty {
			return None
		}
	}
	if estimate > 0 {
		return Slower
	}
	return Faster
}

// margin is the margin in standard errors.
func (j *jzs) margin(l jzsLook) float64 { return math.Log1p(j.rule.MinEffect) / l.standardError }

// same reports whether a look says that the difference does not matter.
func (j *jzs) same(l jzsLook, shift float64) bool {
	limit, bounds := 1-j.rule.Certainty, j.bounds[l.batches]
	t := math.Abs(l.estimate+shift) / l.standardError
	if j.rule.MinEffect == 0 {
		return bounds.least <= limit && probability(t, l.batches, j.rule) <= limit
	}
	margin := j.margin(l)
	if margin < bounds.near || t > margin+bounds.beyond {
		return false
	}
	switch beyond := beyondMargin(t, margin, l.batches); {
	case beyond <= limit:
		return true
	case beyond*bounds.least > limit:
		return false
	default:
		return beyond*probability(t, l.batches, j.rule) <= limit
	}
}

// beyondMargin is the probability of a difference beyond the margin if there is
// one. All is in standard errors.
func beyondMargin(t, margin float64, batches int) float64 {
	degrees := float64(batches - 1)
	return stat.StudentCDF(t-margin, degrees) + stat.StudentCDF(-t-margin, degrees)
}
