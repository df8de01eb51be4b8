package stopping

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// Setup is what every table is made with.
type Setup struct {
	trial.Plan
	// Trials is the number of comparisons per condition, Rounds the number of
	// rounds after which each of them ends.
	Trials, Rounds int
	// Models are the noises that are tested; nil stands for the tables' own.
	Models []noise.Model
}

func (s Setup) conditions() []Condition {
	if s.Models == nil {
		return conditions()
	}
	chosen := make([]Condition, len(s.Models))
	for i, m := range s.Models {
		chosen[i] = Condition{Name: m.Name, Model: m}
	}
	return chosen
}

// outcome is one rule's answers to one trial: for identical code, and for every
// true difference.
type outcome struct {
	falseAlarm bool
	endings    []ending
}

type ending struct {
	answer Answer
	rounds int
}

// simulate runs trials under one condition and returns every rule's outcomes,
// trial by trial. All rules and all true differences see the same rounds.
func (s Setup) simulate(c Condition, rules []Rule, truths []float64) [][]outcome {
	perTrial := trial.Run(s.Plan, "stopping, "+c.Name, s.Trials, func(r *rand.Rand) []outcome {
		rounds := newTrack(newStream(r, c).rounds(s.Rounds))
		outcomes := make([]outcome, len(rules))
		for i, rule := range rules {
			course := rule.follow(rounds)
			outcomes[i].falseAlarm = course.everDifferent(0)
			for _, truth := range truths {
				answer, at := course.ending(truth)
				outcomes[i].endings = append(outcomes[i].endings, ending{answer, at})
			}
		}
		return outcomes
	})
	perRule := make([][]outcome, len(rules))
	for i := range rules {
		perRule[i] = make([]outcome, s.Trials)
		for k, outcomes := range perTrial {
			perRule[i][k] = outcomes[i]
		}
	}
	return perRule
}

// falseAlarms is the share of comparisons of identical code that name a slower
// side at any look.
func falseAlarms(outcomes []outcome) float64 {
	return trial.Share(outcomes, func(o outcome) bool { return o.falseAlarm })
}

// share is the share of comparisons of one true difference with an answer.
func share(outcomes []outcome, truth int, answer Answer) float64 {
	return trial.Share(outcomes, func(o outcome) bool { return o.endings[truth].answer == answer })
}

// roundsUntil is the mean number of rounds of the comparisons that end with an
// answer; NaN where none does.
func roundsUntil(outcomes []outcome, truth int, answer Answer) float64 {
	total, count := 0.0, 0.0
	for _, o := range outcomes {
		if e := o.endings[truth]; e.answer == answer {
			total += float64(e.rounds)
			count++
		}
	}
	return total / count
}

const (
	// inProcessUnits of inProcessRounds rounds are what a comparison of
	// functions has: 200 pairs in a unit.
	inProcessUnits, inProcessRounds = 100, 100
)

// inProcess is the share of comparisons of identical functions that are ever
// called different, by condition.
func (s Setup) inProcess(conditions []Condition, m *maker) []float64 {
	rule := m.plain("in process", fixed(inProcessRounds))
	s.Rounds = inProcessUnits * inProcessRounds
	rates := make([]float64, len(conditions))
	for i, c := range conditions {
		c.Name += ", in process"
		rates[i] = falseAlarms(s.simulate(c, []Rule{rule}, nil)[0])
	}
	return rates
}

// Tables compares both rules, and with candidates also further variants of the
// library's.
func Tables(s Setup, candidates bool) []*sheet.Sheet {
	m, noises := newMaker(max(s.Rounds, inProcessUnits)), s.conditions()
	rules := m.compared(s.Rounds)
	count := len(rules)
	if candidates {
		rules = append(rules, m.candidates(s.Rounds)...)
	}
	r := s.measure(noises, rules)
	alarms := r.falseTable(count, s.inProcess(noises, m))
	alarms.Bars = append(alarms.Bars, s.agreementBar(noises, m))
	tables := []*sheet.Sheet{alarms, r.delayTable(count)}
	if candidates {
		tables = append(tables, r.frontierTable())
	}
	return tables
}
