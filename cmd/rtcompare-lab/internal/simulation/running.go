package simulation

import (
	"math"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// running judges units one after the other at a cost that does not grow with
// their number. It follows the judge's rule for several units, and the
// experiments ask the judge itself now and then whether it still does.
type running struct {
	policy        judge.Policy
	count         int
	mean, squares float64
	// contrasts are half the differences of the arms' log ratios with
	// themselves: their sum, and that of their squares.
	contrast, contrastSquares float64
}

func (r *running) add(m trial.Medians) {
	r.count++
	step := m.Main - r.mean
	r.mean += step / float64(r.count)
	r.squares += step * (m.Main - r.mean)
	contrast := (m.Identical[1] - m.Identical[0]) / 2
	r.contrast += contrast
	r.contrastSquares += contrast * contrast
}

// half is the half-width of the interval at an error rate.
func (r *running) half(alpha float64) float64 {
	n := float64(r.count)
	factor := stat.ConfidenceSequenceFactor(r.count, judge.SequencePrior, alpha)
	if r.count < 2 || math.IsInf(factor, 1) {
		return math.Inf(1)
	}
	deviation := math.Sqrt(r.squares / (n - 1))
	spread := math.Sqrt(r.contrastSquares / n)
	return max(factor*max(deviation, spread)/math.Sqrt(n), math.Abs(r.contrast)/n)
}

// alone reports whether the units by themselves, without those of identical
// code, exclude zero.
func (r *running) alone() bool {
	if r.count < judge.FirstLook {
		return false
	}
	n := float64(r.count)
	factor := stat.ConfidenceSequenceFactor(r.count, judge.SequencePrior, r.policy.ErrorRate)
	return math.Abs(r.mean) > factor*math.Sqrt(r.squares/(n-1)/n)
}

// verdict is the answer at this look, and by how much of its half-width the
// interval is away from another answer.
func (r *running) verdict() (v record.Verdict, distance float64) {
	if r.count < judge.FirstLook {
		return record.Inconclusive, math.Inf(1)
	}
	half, narrow := r.half(r.policy.ErrorRate), r.half(2*r.policy.ErrorRate)
	inside := r.policy.Margin - narrow - math.Abs(r.mean)
	distance = min(math.Abs(math.Abs(r.mean)/half-1), math.Abs(inside)/narrow)
	switch {
	case r.mean < -half:
		return record.Faster, distance
	case r.mean > half:
		return record.Slower, distance
	case inside > 0:
		return record.Equivalent, distance
	}
	return record.Inconclusive, distance
}

// closeCall is the distance from another answer below which the judge itself
// is asked.
const closeCall = 0.01

// asks reports whether the judge is asked at a look: at every tenth of the
// first hundred, at every hundredth later, and at every close call.
func asks(look int, distance float64) bool {
	return look <= 100 && look%10 == 0 || look%100 == 0 || distance < closeCall
}

// path is one comparison by the sequential protocol.
type path struct {
	// first is the first answer of any kind, and firstAt the look at which it
	// was given; zero stands for none.
	first   record.Verdict
	firstAt int
	// name is the first verdict of faster or slower, whatever was said before.
	name   record.Verdict
	nameAt int
	// alone is set when the units without identical code ever excluded zero.
	alone bool
	// checked counts the looks at which the judge itself was asked, and
	// disagreed those at which it said something else.
	checked, disagreed int
}

// follow looks at a sequence after every unit, until a candidate is called
// faster or the units are used up. stop ends it with any answer.
func follow(s *trial.Sequence, units int, stop bool) path {
	r := running{policy: trial.SequentialPolicy()}
	var p path
	var all []record.Unit
	for look := 1; look <= units; look++ {
		m := s.Medians()
		r.add(m)
		all = append(all, s.Unit(m))
		verdict, distance := r.verdict()
		p.alone = p.alone || r.alone()
		if answered(verdict) && p.firstAt == 0 {
			p.first, p.firstAt = verdict, look
		}
		if named(verdict) {
			p.name, p.nameAt = verdict, look
		}
		ends := named(verdict) || stop && p.firstAt > 0
		if ends || asks(look, distance) {
			p.checked++
			if judge.Judge(all, r.policy).Verdict != verdict {
				p.disagreed++
			}
		}
		if ends {
			break
		}
	}
	return p
}

func answered(v record.Verdict) bool { return named(v) || v == record.Equivalent }
