package view

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Live is the state of a run while it goes on.
type Live struct {
	Name string
	// Stage is the engine's name of what is going on.
	Stage string
	// Unit is the number of the unit being measured, Units how many there will
	// be where that is fixed, Runs the runs of every side so far.
	Unit, Units, Runs int
	// Pairs are the pairs with the reference as far as they were judged.
	Pairs []Difference
	// Margin is the log ratio that does not matter.
	Margin float64
	// Patient is set where the first units are measured in any case.
	Patient       bool
	Elapsed, Left time.Duration
}

// Line says in one line how a run goes: what is being done, the ratio so far
// with its interval, between which bounds it has to come to lie, and the time
// left.
func (l Live) Line() string {
	var parts []string
	if l.Name != "" {
		parts = append(parts, l.Name)
	}
	switch l.Stage {
	case "calibrating":
		parts = append(parts, "finding out how long a run takes")
	case "warming", "piloting":
		parts = append(parts, "warming up")
	default:
		parts = append(parts, l.units())
	}
	for _, pair := range l.Pairs {
		parts = append(parts, pair.short())
	}
	if len(l.Pairs) == 1 && l.Margin > 0 {
		parts = append(parts, fmt.Sprintf("clear outside 1, equal within %s", levelPercent(math.Expm1(l.Margin))))
	}
	return strings.Join(append(parts, l.time()), " · ")
}

func (l Live) units() string {
	of := ""
	if l.Units > 0 {
		of = fmt.Sprintf(" of %d", l.Units)
	}
	return fmt.Sprintf("unit %d%s, %s", l.Unit+1, of, counted(l.Runs, "run", "runs"))
}

func (l Live) time() string {
	if l.Left <= 0 {
		return roundedTime(l.Elapsed) + " so far"
	}
	return fmt.Sprintf("%s, at most %s left", roundedTime(l.Elapsed), roundedTime(l.Left))
}

func roundedTime(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// short is the ratio B / A with its interval.
func (d Difference) short() string {
	if math.IsInf(d.Low, 0) || math.IsInf(d.High, 0) {
		return fmt.Sprintf("%s/%s %s [? ?]", d.B, d.A, thousandths(d.LogRatio))
	}
	return fmt.Sprintf("%s/%s %s [%s %s]", d.B, d.A, thousandths(d.LogRatio), thousandths(d.Low), thousandths(d.High))
}

// thousandths renders a ratio with the same decimals from moment to moment, so
// that a line that is redrawn does not jump.
func thousandths(logRatio float64) string {
	if ratio := math.Exp(logRatio); ratio < 10 {
		return fmt.Sprintf("%.3f", ratio)
	}
	return times(math.Exp(logRatio))
}
