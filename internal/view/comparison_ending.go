package view

import (
	"fmt"
	"math"
	"strings"
)

// How says how the run went: how many runs, how long, why it stopped, and how
// small a difference it could have seen.
func (c *Comparison) How() string {
	parts := []string{c.runsText()}
	if len(c.Sides) > 1 {
		parts = append(parts, "interleaved")
	}
	if c.Ending.Seconds > 0 && !math.IsInf(c.Ending.Seconds, 0) {
		parts = append(parts, Seconds(c.Ending.Seconds))
	}
	if reason := c.reason(); reason != "" {
		parts = append(parts, reason)
	}
	text := strings.Join(parts, ", ")
	if visible := c.SmallestVisible(); visible > 0 {
		text += "; smallest difference visible here " + Percent(math.Expm1(visible))
	}
	return text
}

func (c *Comparison) runsText() string {
	if len(c.Sides) == 0 {
		return "no runs"
	}
	least, most := c.Sides[0].Runs(), c.Sides[0].Runs()
	for i := range c.Sides {
		least, most = min(least, c.Sides[i].Runs()), max(most, c.Sides[i].Runs())
	}
	text := counted(most, "run", "runs")
	if least != most {
		text = fmt.Sprintf("%d to %d runs", least, most)
	}
	if len(c.Sides) > 1 {
		text += " each"
	}
	return text
}

func (c *Comparison) reason() string {
	switch c.Ending.Reason {
	case "clear":
		return "stopped because clear"
	case "precise":
		return "stopped because precise enough"
	case "time":
		return "stopped because the time was up"
	case "runs":
		return "stopped after the planned number of runs"
	case "interrupted":
		return "stopped because interrupted"
	case "failed":
		return "stopped because a candidate failed"
	}
	return ""
}

// SmallestVisible is the log ratio that every pair was judged finely enough to
// show; 0 where that is not known.
func (c *Comparison) SmallestVisible() float64 {
	largest := 0.0
	for _, p := range c.Pairs {
		if !c.IsMain(p) {
			continue
		}
		if !(p.SmallestVisible > 0 && p.SmallestVisible < 20) {
			return 0
		}
		largest = max(largest, p.SmallestVisible)
	}
	return largest
}

// NoiseFloor says how far apart identical candidates came out, or "" where that
// was not measured.
func (c *Comparison) NoiseFloor() string {
	largest := 0.0
	for _, p := range c.Pairs {
		if c.IsMain(p) && p.Identical > 0 && p.IdenticalSpread < 20 {
			largest = max(largest, p.IdenticalSpread)
		}
	}
	if !(largest > 0) {
		return ""
	}
	return fmt.Sprintf("Identical candidates came out %s apart here, typically (noise floor).", Percent(math.Expm1(largest)))
}

// tooMany is how many times longer a run may be before it is no advice.
const tooMany = 1000

// Needed says what it would take to decide an undecided pair on the metric that
// carries the verdict, or "".
func (c *Comparison) Needed(p Pair) string {
	if p.Decided() || !c.IsMain(p) || p.UnitsNeeded <= p.Units || p.Units <= 0 || !c.valid(p.Arm) {
		return ""
	}
	factor := float64(p.UnitsNeeded) / float64(p.Units)
	if factor > tooMany {
		return fmt.Sprintf("more than %d times as many runs would be needed to decide", tooMany)
	}
	text := fmt.Sprintf("about %.0f runs each would probably decide", math.Ceil(factor*float64(c.Sides[p.Arm].Runs())))
	if s := c.Ending.Seconds; s > 0 && s*factor < 1e6 {
		text += ": --time " + duration(s*factor)
	}
	return text
}

func (c *Comparison) valid(side int) bool { return side >= 0 && side < len(c.Sides) }

// duration renders a time as a flag takes it, rounded up.
func duration(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0fs", math.Ceil(seconds))
	case seconds < 7200:
		return fmt.Sprintf("%.0fm", math.Ceil(seconds/60))
	}
	return fmt.Sprintf("%.0fh", math.Ceil(seconds/3600))
}
