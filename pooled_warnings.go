package rtcompare

import (
	"fmt"
	"math"
	"slices"
)

// warn collects what weakens a pooled result, in a fixed order.
func (p *Pooled) warn(reports []Report) {
	add := func(format string, values ...any) { p.Warnings = append(p.Warnings, fmt.Sprintf(format, values...)) }
	if p.Units < fewestAdvised {
		add("only %d %s were pooled; %d or more are advisable", p.Units, p.Unit.plural(), fewestAdvised)
	}
	// To be equal is an answer, and nothing has to be excluded for it. Reports
	// without a decision did not ask whether they are.
	equivalent := p.Decision.Verdict == Equivalent && allJudged(reports)
	switch {
	case !p.Validated:
		add("not every process measured identical code, so nothing shows what this setup invents")
	case !equivalent && math.Abs(p.Delta) <= p.NoiseFloor:
		add("the difference of %s does not exceed the noise floor of %s", percent(math.Abs(p.Delta)), percent(p.NoiseFloor))
	}
	if p.Bias != 0 && math.Abs(p.Bias) > p.biasBound {
		add("identical code differed by %s in the same direction in all processes: the harness or the machine favours one position", signedPercent(p.Bias))
	}
	if p.Decision.Low <= 0 && p.Decision.High >= 0 && !equivalent {
		add("the interval includes zero, so either candidate may be the faster one")
	}
	if p.Inflation > inflationWarning {
		add("%s scatter %.1f times as widely as one %s's interval says, so no single %s can be trusted here", p.Unit.plural(), p.Inflation, p.Unit, p.Unit)
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

func allJudged(reports []Report) bool {
	return !slices.ContainsFunc(reports, func(r Report) bool { return r.Decision.Verdict == NotJudged })
}
