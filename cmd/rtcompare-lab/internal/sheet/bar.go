package sheet

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// Kind says in which unit a bar is given.
type Kind int

// The kinds of bars.
const (
	// Rate is a share of trials.
	Rate Kind = iota
	// Number is a plain number.
	Number
)

// allowance is how many standard errors a rate from few trials may lie beyond
// its bar.
const allowance = 3

// Bar is a limit and what was measured against it.
type Bar struct {
	Name string
	Kind Kind
	// Limit is the largest good value, or the smallest where AtLeast is set.
	Limit    float64
	AtLeast  bool
	Measured float64
	Trials   int
	// Full is the number of trials that the limit is meant for. With fewer, a
	// rate may lie three standard errors beyond it.
	Full int
	// Binding is set for simulations, which do not depend on the machine: only
	// they can fail.
	Binding bool
}

// Allowed is the limit with the allowance for a small number of trials.
func (b Bar) Allowed() float64 {
	if b.Kind != Rate || b.Trials >= b.Full {
		return b.Limit
	}
	extra := allowance * StandardError(b.Limit, b.Trials)
	if b.AtLeast {
		return max(0, b.Limit-extra)
	}
	return min(1, b.Limit+extra)
}

// Met reports whether the measured value is good enough.
func (b Bar) Met() bool {
	if math.IsNaN(b.Measured) {
		return false
	}
	if b.AtLeast {
		return b.Measured >= b.Allowed()
	}
	return b.Measured <= b.Allowed()
}

// Failed reports whether the bar is one that counts, and is missed.
func (b Bar) Failed() bool { return b.Binding && !b.Met() }

// Status is the bar's last column.
func (b Bar) Status() string {
	switch {
	case !b.Met() && b.Binding:
		return "MISSED"
	case !b.Met():
		return "MISSED (on this machine; does not count)"
	case b.Allowed() != b.Limit && !b.within(b.Limit):
		return fmt.Sprintf("ok (within %s for so few trials)", b.format(b.Allowed()))
	}
	return "ok"
}

func (b Bar) within(limit float64) bool {
	if b.AtLeast {
		return b.Measured >= limit
	}
	return b.Measured <= limit
}

func (b Bar) format(v float64) string {
	if b.Kind == Rate {
		return Format(Percent(v))
	}
	return Format(v)
}

func (b Bar) limitText() string {
	if b.AtLeast {
		return "at least " + b.format(b.Limit)
	}
	return "at most " + b.format(b.Limit)
}

// Bars writes one line per bar.
func Bars(out io.Writer, bars []Bar) error {
	if len(bars) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "bar\tlimit\tmeasured\ttrials\tresult")
	for _, b := range bars {
		trials := "-"
		if b.Trials > 0 {
			trials = fmt.Sprint(b.Trials)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", b.Name, b.limitText(), b.format(b.Measured), trials, b.Status())
	}
	return table.Flush()
}

func barObjects(bars []Bar) []map[string]any {
	objects := make([]map[string]any, len(bars))
	for i, b := range bars {
		objects[i] = map[string]any{
			"name": b.Name, "limit": b.Limit, "at_least": b.AtLeast, "allowed": b.Allowed(), "measured": plain(b.Measured),
			"trials": b.Trials, "binding": b.Binding, "met": b.Met(),
		}
	}
	return objects
}

// Worst returns the rate that is farthest on the wrong side, of several that a
// bar holds for at once.
func Worst(rates []float64, atLeast bool) float64 {
	worst := math.Inf(-1)
	if atLeast {
		worst = math.Inf(1)
	}
	for _, v := range rates {
		switch {
		case math.IsNaN(v):
			return v
		case atLeast:
			worst = min(worst, v)
		default:
			worst = max(worst, v)
		}
	}
	return worst
}
