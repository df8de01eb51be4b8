package rtcompare

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// warn collects what weakens a pooled result, in a fixed order.
func (p *Pooled) warn(reports []Report) {
	add := func(format string, values ...any) { p.Warnings = append(p.Warnings, fmt.Sprintf(format, values...)) }
	if p.Units < fewestAdvised {
		add("only %d %s were pooled; %d or more are advisable", p.Units, p.Unit.plural(), fewestAdvised)
	}
	// To be equal is an answer, and nothing has to be excluded for it.
	equivalent := p.Decision.Verdict == Equivalent
	switch {
	case !p.Validated:
		add("not every process measured identical code, so nothing shows what this setup invents")
	case !equivalent && !p.exceeds:
		add("the difference of %s does not exceed the noise floor of %s", percent(math.Abs(p.Delta)), percent(p.NoiseFloor))
	}
	if math.Abs(p.measured.bias) > p.measured.bound {
		add("identical code differed by %s in the same direction in all processes: the harness or the machine favours one position", signedPercent(p.Bias))
	}
	if p.Decision.Low <= 0 && p.Decision.High >= 0 && !equivalent {
		add("the interval includes zero, so either candidate may be the faster one")
	}
	if p.Inflation > inflationWarning {
		add("%s scatter %.1f times as widely as one %s's interval says, so no single %s can be trusted here", p.Unit.plural(), p.Inflation, p.Unit, p.Unit)
	}
	if r, alike := p.neighbours(reports); alike {
		add("processes resemble the ones that ran just before them (correlation %.2f): something slower than a process moves the difference, and the interval is too narrow", r)
	}
	faster, slower := false, false
	for _, r := range reports {
		delta, _, _, _ := r.headline()
		faster = faster || (r.Resolved && delta > 0)
		slower = slower || (r.Resolved && delta < 0)
	}
	if faster && slower {
		add("some processes resolved A as faster and others as slower")
	}
	if p.Decision.Mixed {
		add("over all processes elapsed time and processor time point in opposite directions: one candidate is faster and needs more processor time")
	}
	for i, r := range reports {
		if r.Suspended > 0 {
			add("process %d was suspended for about %v while it measured", i, r.Suspended)
		}
	}
}

const (
	// fewestNeighbours is how many processes a correlation takes, and
	// neighbourErrors how many of its standard errors a warning: a run of
	// independent processes shows that in half a percent of cases.
	fewestNeighbours = 20
	neighbourErrors  = 2.5
)

// neighbours is the correlation of each process's difference with that of the
// one before it, in the order of the reports, and whether it is too large for
// processes that have nothing to do with each other. An alternating effect, such
// as that of the order of building, makes it smaller and does no harm.
func (p *Pooled) neighbours(reports []Report) (correlation float64, alike bool) {
	if p.Unit != UnitProcess || len(reports) < fewestNeighbours {
		return 0, false
	}
	logs := make([]float64, len(reports))
	for i, r := range reports {
		o, err := observeOne(r)
		if err != nil {
			return 0, false
		}
		logs[i] = o.logRatio
	}
	correlation = stat.Lag1(logs)
	return correlation, correlation > neighbourErrors/math.Sqrt(float64(len(logs)))
}
