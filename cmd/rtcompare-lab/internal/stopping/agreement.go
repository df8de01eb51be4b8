package stopping

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat/bayes"
)

// The rules are followed by formulas that are updated from look to look. What
// follows asks the judge, and finefile's rule, themselves.

// agreement counts the looks at which they were asked, and those at which they
// gave another answer.
type agreement struct{ asked, disagreed int }

// agreementTrials is how many trials of each condition are asked about at most,
// and agreementShare their largest share of all.
const agreementTrials, agreementShare = 40, 50

// checkedUnits are the lengths of the units of the checked rules.
var checkedUnits = []int{1, 2, 4, 16}

// agreementBar checks some trials under every condition.
func (s Setup) agreementBar(conditions []Condition, m *maker) sheet.Bar {
	var total agreement
	for _, c := range conditions {
		checked := trial.Run(s.Plan, "agreement, "+c.Name, min(1+s.Trials/agreementShare, agreementTrials), func(r *rand.Rand) agreement {
			all := newStream(r, c).rounds(s.Rounds)
			shift := math.Log1p(truths[r.IntN(len(truths))])
			sum := jzsAgreement(all, shift, r.IntN(2) == 0)
			for _, rounds := range checkedUnits {
				other := m.plain("", fixed(rounds)).agreement(all, shift)
				sum.asked += other.asked
				sum.disagreed += other.disagreed
			}
			other := m.recommended().agreement(all, shift)
			sum.asked += other.asked
			sum.disagreed += other.disagreed
			return sum
		})
		for _, a := range checked {
			total.asked += a.asked
			total.disagreed += a.disagreed
		}
	}
	return sheet.Bar{
		Name: "looks at which the rules' formulas disagree with the judge and with finefile's rule",
		Kind: sheet.Number, Measured: float64(total.disagreed), Trials: total.asked, Binding: true,
	}
}

// asks is whether a look is asked about: the first ones, and fewer and fewer
// later.
func asks(look int) bool { return look < 12 || look%41 == 0 }

// agreement asks the judge about looks at the rounds, with b slower by a shift.
// The end is always among them.
func (a *anytime) agreement(all []round, shift float64) agreement {
	var found agreement
	rounds, start := a.sizing(all)
	followed := a.follow(newTrack(all)).(unitCourse)
	_, end := followed.ending(shift)
	var units []record.Unit
	for unit := 0; start+(unit+1)*rounds <= len(all); unit++ {
		first := start + unit*rounds
		units = append(units, recorded(all[first:first+rounds], first, shift))
		look := unit + 1 - a.firstLook
		if look < 0 || !asks(look) && first+rounds != end {
			continue
		}
		found.asked++
		if answerOf(judge.Judge(units, policy()).Verdict) != followed.answer(look, shift) {
			found.disagreed++
		}
	}
	return found
}

// agreement asks the judge about looks of its own ladder.
func (l *ladder) agreement(all []round, shift float64) agreement {
	var found agreement
	followed := l.follow(newTrack(all)).(ladderCourse)
	_, end := followed.ending(shift)
	climbing := policy()
	climbing.Ladder = judge.Ladder()
	var units []record.Unit
	for look, known := 0, 0; look < len(followed.looks); look++ {
		rounds := followed.looks[look].rounds
		for ; known < rounds; known++ {
			units = append(units, recorded(all[known:known+1], known, shift))
		}
		if !asks(look) && rounds != end {
			continue
		}
		found.asked++
		if answerOf(judge.Judge(units, climbing).Verdict) != followed.answer(look, shift) {
			found.disagreed++
		}
	}
	return found
}

func answerOf(v record.Verdict) Answer {
	switch v {
	case record.Slower:
		return Slower
	case record.Faster:
		return Faster
	case record.Equivalent:
		return Same
	}
	return None
}

// recorded is a unit of rounds as the engine records it.
func recorded(rounds []round, number int, shift float64) record.Unit {
	cells := [4]record.Cell{{Arm: 0, N: 1}, {Arm: 1, N: 1}, {Arm: 1, Replica: 1, N: 1}, {Arm: 0, Replica: 1, N: 1}}
	order := make([]byte, len(rounds))
	for i, r := range rounds {
		order[i] = "fb"[(number+i)%2]
		for k, logarithm := range []float64{r.a, r.b + shift, r.otherB + shift, r.otherA} {
			// A unit of time so small that whole numbers of it round nothing.
			cells[k].Wall = append(cells[k].Wall, int64(math.Round(1e15*math.Exp(logarithm))))
		}
	}
	return record.Unit{Purpose: record.Main, Order: string(order), Cells: cells[:]}
}

// jzsAgreement asks finefile's rule about looks at the rounds. Its differences
// are of throughputs: a slower b makes them positive, as it makes ours.
func jzsAgreement(all []round, shift float64, margin bool) agreement {
	minEffect := 0.0
	if margin {
		minEffect = 0.01
	}
	rule := JZS("", minEffect, len(all)).(*jzs)
	followed := rule.follow(newTrack(all)).(jzsCourse)
	differences := make([]float64, len(all))
	for i, r := range all {
		differences[i] = r.difference() + shift
	}
	var found agreement
	_, end := followed.ending(shift)
	for look := range followed.looks {
		n := look + rule.rule.MinRounds
		if !asks(look) && n != end {
			continue
		}
		found.asked++
		analysis, _ := bayes.Analyse(differences[:n], rule.rule)
		if jzsAnswer(analysis, rule.rule) != rule.answer(followed.looks[look], shift) {
			found.disagreed++
		}
	}
	return found
}

func jzsAnswer(a bayes.Analysis, rule bayes.Rule) Answer {
	switch v := bayes.Decide(a, rule); {
	case v == bayes.Indistinguishable:
		return Same
	case v == bayes.Different && a.LogRatio > 0:
		return Slower
	case v == bayes.Different:
		return Faster
	}
	return None
}
