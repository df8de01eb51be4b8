// Package simulation holds the experiments that need no clock: comparisons of
// simulated times, of which the truth is known, judged by the library's judge.
package simulation

import (
	"math"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Setup is what every experiment is given.
type Setup struct {
	trial.Plan
	Trials int
	// Models are the noises that are tested; nil stands for the experiment's
	// own choice.
	Models []noise.Model
}

// models returns the asked models, or the given ones.
func (s Setup) models(own ...noise.Model) []noise.Model {
	if s.Models != nil {
		return s.Models
	}
	return own
}

// fullTrials is the number of trials that the bars are meant for.
const fullTrials = 2000

// The nominal error rates of the library.
const (
	fixedErrorRate      = 1 - rtcompare.DefaultConfidenceLevel
	sequentialErrorRate = 1 - rtcompare.DefaultBudgetLevel
)

var margin = math.Log1p(rtcompare.DefaultMargin)

func named(v record.Verdict) bool { return v == record.Faster || v == record.Slower }

// excludes reports whether zero lies outside an interval.
func excludes(low, high float64) bool { return low > 0 || high < 0 }

// rateBar is a bar for the worst of several rates.
func rateBar(name string, limit float64, atLeast bool, rates []float64, trials int) sheet.Bar {
	return sheet.Bar{
		Name: name, Limit: limit, AtLeast: atLeast, Measured: sheet.Worst(rates, atLeast),
		Trials: trials, Full: fullTrials, Binding: true,
	}
}
