package stopping

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
)

// conditions are the noises of the tables. The last two hold runs that are
// slowed.
func conditions() []Condition {
	all := []Condition{{"iid", noise.White(), 0}}
	for _, rho := range []float64{0.2, 0.46, 0.7, 0.8} {
		all = append(all, Condition{fmt.Sprintf("ar%g", rho), noise.AR(rho), 0})
	}
	return append(all,
		Condition{"wander", noise.Wander(), 0}, Condition{"regime", noise.Regime(), 0},
		Condition{"iid, 10% slowed", noise.White(), 0.1}, Condition{"ar0.46, 10% slowed", noise.AR(0.46), 0.1},
	)
}

// truths are the true differences of the tables.
var truths = []float64{0.01, 0.02, 0.05, 0.20, 0.33}

func shifts() []float64 {
	logarithms := make([]float64, len(truths))
	for i, truth := range truths {
		logarithms[i] = math.Log1p(truth)
	}
	return logarithms
}

// policy is how the library judges a comparison that may end at any look.
func policy() judge.Policy {
	p := trial.SequentialPolicy()
	p.Tick = 0 // Times are given as logarithms; nothing is rounded.
	return p
}

// maker makes variants of the library's rule.
type maker struct {
	units int
	known map[float64]*factors
}

func newMaker(units int) *maker { return &maker{units, map[float64]*factors{}} }

// factors are computed once for each error rate.
func (m *maker) factors(errorRate float64) *factors {
	if m.known[errorRate] == nil {
		p := policy()
		p.ErrorRate = errorRate
		m.known[errorRate] = newFactors(p, m.units)
	}
	return m.known[errorRate]
}

// plain is the library's rule with units of a size.
func (m *maker) plain(name string, size sizing) *anytime {
	return &anytime{name: name, sizing: size, firstLook: judge.FirstLook, correlation: 1, factors: m.factors(policy().ErrorRate)}
}

// assumed is the library's rule with units of a number of rounds, of which so
// many are assumed to resemble each other.
func (m *maker) assumed(rounds int, correlation float64) *anytime {
	rule := m.plain(fmt.Sprintf("%s, correlation %g", counted(rounds), correlation), fixed(rounds))
	rule.correlation = correlation
	return rule
}

func counted(rounds int) string {
	if rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", rounds)
}

// ladder shares the error rate evenly among its rungs.
func (m *maker) ladder(name string, rungs ...judge.Rung) *ladder {
	l := &ladder{name: name}
	for _, r := range rungs {
		rule := m.assumed(r.Units, r.Correlation)
		rule.factors = m.factors(policy().ErrorRate / float64(len(rungs)))
		l.rungs = append(l.rungs, rule)
	}
	return l
}

const (
	// The engine measures the correlation on a twentieth of the time, and gives
	// a unit at most a tenth of what is left.
	pilotShare, unitShare = 20, 10
	// enginesTimes is how many correlation times the engine gives a unit: ten,
	// divided by the two pairs of a round, although the correlation is measured
	// from round to round.
	enginesTimes, plannedTimes = 5, 10
)

func (m *maker) piloted(name string, rounds int, times float64, difference, reuse bool) *anytime {
	pilotRounds := rounds / pilotShare
	p := pilot{rounds: pilotRounds, times: times, difference: difference, most: (rounds - pilotRounds) / unitShare, reuse: reuse}
	return m.plain(name, p.size)
}

// The names of the rules that the tables refer to.
const (
	jzsName         = "jzs"
	recommendedName = "ladder 1-4-24"
)

// compared are the rules that every table shows.
func (m *maker) compared(rounds int) []Rule {
	start := newJZS("jzs, cut from start", JZS("", 0, rounds).(*jzs).rule)
	start.fromStart = true
	return []Rule{
		JZS(jzsName, 0, rounds), JZS("jzs, margin 1%", 0.01, rounds), start,
		m.plain("1 round", fixed(1)), m.piloted("as the engine sizes", rounds, enginesTimes, false, false),
		m.assumed(4, 3), m.recommended(),
	}
}

// recommended is the library's own ladder, which the tables speak for.
func (m *maker) recommended() *ladder {
	return m.ladder(recommendedName, judge.Ladder()...)
}

// candidates are the further rules of the frontier.
func (m *maker) candidates(rounds int) []Rule {
	var rules []Rule
	for _, unit := range []int{1, 2, 4, 8, 16, 50} {
		for _, mean := range []bool{false, true} {
			if mean && unit == 1 {
				continue // The median of two pairs is their mean.
			}
			for _, alone := range []bool{false, true} {
				for _, first := range []int{5, 8} {
					rule := m.plain(variantName(unit, mean, alone, first), fixed(unit))
					rule.mean, rule.alone, rule.firstLook = mean, alone, first
					rules = append(rules, rule)
				}
			}
		}
	}
	careful := func() *ladder {
		return m.ladder(recommendedName+", correlations 9 5 2", judge.Rung{Units: 1, Correlation: 9}, judge.Rung{Units: 4, Correlation: 5}, judge.Rung{Units: 24, Correlation: 2})
	}
	return append(rules,
		unaided(m.recommended()), careful(), unaided(careful()),
		m.piloted("pilot, 10 correlation times", rounds, plannedTimes, true, false),
		m.piloted("the same, pilot judged too", rounds, plannedTimes, true, true),
		m.assumed(1, 9), m.assumed(2, 5), m.assumed(4, 4), m.assumed(8, 2),
		m.ladder("ladder 2-8-32", judge.Rung{Units: 2, Correlation: 4}, judge.Rung{Units: 8, Correlation: 2}, judge.Rung{Units: 32, Correlation: 1}),
		m.ladder("ladder 1-4-16-64", judge.Rung{Units: 1, Correlation: 6}, judge.Rung{Units: 4, Correlation: 3}, judge.Rung{Units: 16, Correlation: 1.5}, judge.Rung{Units: 64, Correlation: 1}),
		m.ladder("ladder 4-16-64", judge.Rung{Units: 4, Correlation: 3}, judge.Rung{Units: 16, Correlation: 1.5}, judge.Rung{Units: 64, Correlation: 1}),
	)
}

// unaided leaves out what identical code shows. It stands for noise that those
// comparisons cannot see: that of a server which serves both a and a'.
func unaided(l *ladder) *ladder {
	l.name += ", no A/A"
	for _, rule := range l.rungs {
		rule.alone = true
	}
	return l
}

func variantName(unit int, mean, alone bool, first int) string {
	name := counted(unit)
	switch {
	case unit == 1:
	case mean:
		name += ", mean"
	default:
		name += ", median"
	}
	if alone {
		name += ", no A/A"
	}
	return fmt.Sprintf("%s, from %d", name, first)
}
