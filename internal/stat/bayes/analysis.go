package bayes

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Analysis is what the rounds so far say.
type Analysis struct {
	// Rounds is the number of rounds, Batches that of the batches they were
	// averaged into, BatchSize the number of rounds in each.
	Rounds, Batches, BatchSize int
	// LogRatio is the mean difference of the batches, Deviation their standard
	// deviation and T the mean in standard errors.
	LogRatio, Deviation, T float64
	// LogFactor is ln BF10, always finite.
	LogFactor float64
	// Different is the probability that the sides differ at all, when both
	// hypotheses were equally likely at first.
	Different float64
	// HasMargin is set where the rule has a MinEffect above zero. Practical is
	// then the probability that they differ by more than it; otherwise zero.
	HasMargin bool
	Practical float64
	// Low and High bound the log ratio with the probability CredibleMass, given
	// that the sides differ.
	Low, High float64
}

// enormousT stands for a t statistic with a standard error of zero.
const enormousT = 1e8

// Analyse weighs the differences, one per round and in order: the log
// throughput of the first side minus that of the second. A positive difference
// means that the first side is faster. It reports false while there are fewer
// than two batches, and for a difference that is not finite.
//
// The credible interval, and the probability of a difference beyond the margin
// given that there is one, are those of a flat prior: Student's t with one
// degree of freedom less than batches, around the mean.
func Analyse(differences []float64, r Rule) (Analysis, bool) {
	batches := BatchMeans(differences, r.BatchRounds)
	if len(batches) < 2 {
		return Analysis{}, false
	}
	_, deviation := stat.MeanAndSD(batches)
	return weigh(mean(batches), deviation, len(batches), len(differences), r)
}

func weigh(logRatio, deviation float64, batches, rounds int, r Rule) (Analysis, bool) {
	standardError := deviation / math.Sqrt(float64(batches))
	if math.IsNaN(logRatio-standardError) || math.IsInf(logRatio-standardError, 0) {
		return Analysis{}, false
	}
	a := Analysis{
		Rounds: rounds, Batches: batches, BatchSize: BatchSize(rounds, r.BatchRounds),
		LogRatio: logRatio, Deviation: deviation, T: tStatistic(logRatio, standardError), HasMargin: r.MinEffect > 0,
	}
	degrees := float64(batches - 1)
	a.LogFactor = LogBayesFactor(a.T, batches, r.PriorScale)
	a.Different = 1 / (1 + math.Exp(-a.LogFactor))
	if a.HasMargin {
		a.Practical = a.Different * probabilityBeyond(math.Log1p(r.MinEffect), logRatio, standardError, degrees)
	}
	half := standardError * stat.StudentQuantile((1+r.CredibleMass)/2, degrees)
	a.Low, a.High = logRatio-half, logRatio+half
	return a, true
}

// tStatistic is a mean in standard errors. It stays finite: a mean without any
// scatter has an enormous one.
func tStatistic(mean, standardError float64) float64 {
	switch {
	case standardError > 0:
		return max(-math.MaxFloat64, min(math.MaxFloat64, mean/standardError))
	case mean > 0:
		return enormousT
	case mean < 0:
		return -enormousT
	}
	return 0
}

// probabilityBeyond is the probability that a Student t variable around a
// center lies outside of plus and minus the bound.
func probabilityBeyond(bound, center, scale, degrees float64) float64 {
	if scale == 0 {
		if math.Abs(center) > bound {
			return 1
		}
		return 0
	}
	return stat.StudentCDF((center-bound)/scale, degrees) + stat.StudentCDF((-center-bound)/scale, degrees)
}

// Factor is BF10: how many times more likely the rounds are when the sides
// differ. It is +Inf where it overflows.
func (a Analysis) Factor() float64 { return math.Exp(a.LogFactor) }

// Ratio is the ratio of the throughputs, first side over second.
func (a Analysis) Ratio() float64 { return math.Exp(a.LogRatio) }

// Decisive is the probability that the rule looks at: that of a difference
// beyond the margin where there is one, else that of any difference.
func (a Analysis) Decisive() float64 {
	if a.HasMargin {
		return a.Practical
	}
	return a.Different
}
