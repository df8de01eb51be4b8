package view

import (
	"fmt"
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Decided reports whether one side of the pair was found to have less.
func (p Pair) Decided() bool { return p.Verdict == record.Faster || p.Verdict == record.Slower }

// Ends returns the sides with the lower and the higher value. Where that was
// not decided it returns the arm and its base.
func (p Pair) Ends() (lower, higher int) {
	if p.Verdict == record.Slower {
		return p.Base, p.Arm
	}
	return p.Arm, p.Base
}

// Sentence says in a few words what is known about a pair, without numbers
// beyond the difference. Exchanging the two sides of a decided pair does not
// change it.
func (c *Comparison) Sentence(p Pair) string {
	lower, higher := p.Ends()
	a, b := c.letter(p.Base), c.letter(p.Arm)
	switch p.Verdict {
	case record.Faster, record.Slower:
		return c.decided(p, lower, higher) + within(p)
	case record.Equivalent:
		return c.equal(p, a, b)
	case record.Unmeasurable:
		return fmt.Sprintf("%s and %s%s: this run cannot tell (unmeasurable)", a, b, c.onMetric(p))
	}
	return fmt.Sprintf("undecided which of %s and %s %s (inconclusive)", a, b, c.question(p))
}

func (c *Comparison) letter(side int) string {
	if side >= 0 && side < len(c.Sides) {
		return c.Sides[side].Letter
	}
	return Letter(side)
}

// requests reports whether a pair's elapsed time is that of requests.
func (c *Comparison) requests(p Pair) bool {
	is := func(side int) bool { return side >= 0 && side < len(c.Sides) && c.Sides[side].Server }
	return p.Judgement.Metric == SeriesWall && is(p.Base) && is(p.Arm)
}

// fewFold is the ratio from which a factor is easier to grasp than a share.
const fewFold = 2

func (c *Comparison) decided(p Pair, lower, higher int) string {
	low, high := c.letter(lower), c.letter(higher)
	size := math.Abs(p.LogRatio)
	less, more := Percent(-math.Expm1(-size)), Percent(math.Expm1(size))
	factor := decimal(math.Exp(size), 2)
	manyFold := size >= math.Log(fewFold)
	switch {
	case c.requests(p) && manyFold:
		return fmt.Sprintf("%s answers %s times as many requests per second as %s", low, factor, high)
	case c.requests(p):
		return fmt.Sprintf("%s answers %s more requests per second than %s", low, more, high)
	case p.Judgement.Metric == SeriesWall && manyFold:
		return fmt.Sprintf("%s is %s times as fast as %s", low, factor, high)
	case p.Judgement.Metric == SeriesWall:
		return fmt.Sprintf("%s is %s faster than %s", low, less, high)
	case p.Describes.Better == "higher" && manyFold:
		return fmt.Sprintf("%s has %s times the %s of %s", high, factor, metricName(p), low)
	case p.Describes.Better == "higher":
		return fmt.Sprintf("%s has %s more %s than %s", high, more, metricName(p), low)
	case isLatency(p.Judgement.Metric):
		return fmt.Sprintf("%s has a %s lower %s than %s", low, less, metricName(p), high)
	case p.Judgement.Metric == SeriesCPU || p.Judgement.Metric == SeriesMemory:
		return fmt.Sprintf("%s needs %s less %s than %s", low, less, metricName(p), high)
	}
	return fmt.Sprintf("%s has %s %s %s than %s", low, less, lessOrFewer(p), metricName(p), high)
}

// lessOrFewer is the word for a lower amount, or a lower number of things.
func lessOrFewer(p Pair) string {
	if p.Describes.Unit == "" {
		return "fewer"
	}
	return "less"
}

func within(p Pair) string {
	if !p.WithinMargin {
		return ""
	}
	return fmt.Sprintf(", by less than the margin of %s", marginPercent(p.Margin))
}

func (c *Comparison) equal(p Pair, a, b string) string {
	what := "are equally fast"
	if p.Judgement.Metric != SeriesWall {
		what = "have the same " + metricName(p)
		if p.Judgement.Metric == SeriesCPU || p.Judgement.Metric == SeriesMemory {
			what = "need the same " + metricName(p)
		}
	}
	return fmt.Sprintf("%s and %s %s, within %s (equivalent)", a, b, what, marginPercent(p.Margin))
}

func (c *Comparison) onMetric(p Pair) string {
	if p.Judgement.Metric == SeriesWall {
		return ""
	}
	return ", " + metricName(p)
}

func (c *Comparison) question(p Pair) string {
	switch {
	case p.Judgement.Metric == SeriesWall:
		return "is faster"
	case p.Judgement.Metric == SeriesCPU || p.Judgement.Metric == SeriesMemory:
		return "needs less " + metricName(p)
	case p.Describes.Better == "higher":
		return "has more " + metricName(p)
	}
	return "has " + lessOrFewer(p) + " " + metricName(p)
}

func isLatency(metric string) bool {
	return metric == "max" || len(metric) > 1 && metric[0] == 'p' && metric[1] >= '0' && metric[1] <= '9'
}

// metricName is what people call a metric.
func metricName(p Pair) string { return MetricName(p.Judgement.Metric) }

// MetricName is what people call the metric of that name.
func MetricName(name string) string {
	switch {
	case name == SeriesWall:
		return "time"
	case name == SeriesUser || name == SeriesSystem:
		return name + " time"
	case name == SeriesCPU:
		return "CPU time"
	case name == "max":
		return "longest latency"
	case isLatency(name):
		return name + " latency"
	}
	return strings.ReplaceAll(name, "-", " ")
}

// marginPercent renders a margin, a log ratio, as the share it was given as.
func marginPercent(margin float64) string {
	if share := math.Expm1(margin); share < 1 {
		return levelPercent(share)
	}
	return Percent(math.Expm1(margin))
}

// Ratio is the pair's ratio with its interval. It is that of the higher value to
// the lower one where that was decided, else the arm's to the base's.
func (p Pair) Ratio() string {
	if !p.Bounded() {
		if math.Abs(p.LogRatio) < 20 && p.LogRatio != 0 {
			return Times(math.Exp(p.LogRatio), math.NaN(), math.NaN()) + " [no bounds]"
		}
		return "no bounds"
	}
	if p.Verdict == record.Faster {
		p = p.Mirrored()
	}
	return Times(math.Exp(p.LogRatio), math.Exp(p.Low), math.Exp(p.High))
}

// RatioMeaning says what the number of [Pair.Ratio] is.
func (c *Comparison) RatioMeaning(p Pair) string {
	numerator, denominator := c.letter(p.Arm), c.letter(p.Base)
	if p.Verdict == record.Faster {
		numerator, denominator = denominator, numerator
	}
	return fmt.Sprintf("%s / %s", numerator, denominator)
}

// Certainty says at what level an interval holds, and when.
func (c *Comparison) Certainty(p Pair) string {
	level := levelPercent(1 - p.ErrorRate)
	if shared, ok := c.Plan["error_rate"].(float64); ok && len(c.Sides) > 2 && p.ErrorRate < shared && shared < 1 {
		level = levelPercent(1-shared) + " for all pairs together"
	}
	if !(p.ErrorRate > 0 && p.ErrorRate < 1) {
		return "level unknown"
	}
	switch c.Ending.Method {
	case "anytime":
		return level + ", valid whenever stopped"
	case "fixed":
		return level + ", number of runs set in advance"
	case "jzs":
		return level + ", by Bayes factor (JZS)"
	}
	return level
}

// Numbers are the ratio of a pair, what it is the ratio of where the sentence
// does not say it, and how certain it is. They are empty where the run says
// nothing.
func (c *Comparison) Numbers(p Pair) string {
	if !p.Bounded() && p.LogRatio == 0 {
		return ""
	}
	text := p.Ratio()
	if !p.Decided() {
		text = c.RatioMeaning(p) + " " + text
	}
	if first, ok := c.Main(p.Base, p.Arm); ok && !c.IsMain(p) && first.ErrorRate == p.ErrorRate {
		return text // said of the main metric already
	}
	return text + "  " + c.Certainty(p)
}

// VerdictWord is the verdict on the pair's arm as one word: faster or slower of
// elapsed time, lower or higher of everything else.
func VerdictWord(p Pair) string {
	switch p.Verdict {
	case record.Faster, record.Slower:
		if p.Judgement.Metric == SeriesWall {
			return string(p.Verdict)
		}
		if p.Verdict == record.Faster {
			return "lower"
		}
		return "higher"
	case record.Unmeasurable:
		return string(p.Verdict)
	case record.Equivalent:
		return "equal"
	}
	return "undecided"
}
