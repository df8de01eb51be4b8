package view

import (
	"fmt"
	"math"
)

// Difference is how far apart two sides are: the natural logarithm of B's time
// over A's, with its bounds at Level.
type Difference struct {
	A, B                string
	LogRatio, Low, High float64
	Level               float64
}

// saved is the share of B's time that A saves at a log ratio.
func saved(logRatio float64) float64 { return -math.Expm1(-logRatio) }

// Sentence says how much less time the faster side needs.
func (d Difference) Sentence() string {
	switch {
	case d.LogRatio == 0:
		return fmt.Sprintf("%s and %s need the same time.", d.A, d.B)
	case d.LogRatio > 0:
		return fmt.Sprintf("%s needs %s less time than %s: %s takes %s times as long.", d.A, Percent(saved(d.LogRatio)), d.B, d.B, finer(math.Exp(d.LogRatio)))
	}
	return fmt.Sprintf("%s needs %s more time than %s: it takes %s times as long.", d.A, Percent(-saved(d.LogRatio)), d.B, finer(math.Exp(-d.LogRatio)))
}

// IntervalSentence says between which bounds the difference lies.
func (d Difference) IntervalSentence() string {
	low, high := saved(d.Low), saved(d.High)
	ratios := fmt.Sprintf("%s takes between %s and %s times as long as %s", d.B, finer(math.Exp(d.Low)), finer(math.Exp(d.High)), d.A)
	level := levelPercent(d.Level)
	switch {
	case math.IsInf(d.Low, 0) || math.IsInf(d.High, 0):
		return fmt.Sprintf("At %s confidence this run sets no bounds to the difference.", level)
	case d.Low > 0:
		return fmt.Sprintf("With %s confidence %s needs between %s and %s less time (%s).", level, d.A, Percent(low), Percent(high), ratios)
	case d.High < 0:
		return fmt.Sprintf("With %s confidence %s needs between %s and %s more time (%s).", level, d.A, Percent(-high), Percent(-low), ratios)
	}
	return fmt.Sprintf("With %s confidence %s needs between %s less and %s more time (%s).", level, d.A, Percent(max(0, high)), Percent(max(0, -low)), ratios)
}
