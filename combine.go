package rtcompare

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// fewestReports can be pooled; fewestAdvised is where a warning ends.
	fewestReports = 3
	fewestAdvised = 5
	// inflationWarning is how much more processes may scatter than their own
	// intervals say.
	inflationWarning = 2
)

// Pooled is one comparison pooled over several processes by [Combine]. Each
// process counts as one observation.
type Pooled struct {
	Processes int
	// Delta is the mean of the processes' differences; Low and High bound it.
	Delta     float64
	Low, High float64
	// FirstStage is the number of processes whose scatter sized the run, or
	// zero for a plain t interval.
	FirstStage int
	Level      float64
	// SpreadBetween is the standard deviation between the processes,
	// SpreadWithin the median standard error that one process's own interval
	// implies, and Inflation their quotient, zero if SpreadWithin is.
	SpreadBetween float64
	SpreadWithin  float64
	Inflation     float64
	// Q is Cochran's statistic of heterogeneity (Cochran 1954), and I2 the
	// share of the scatter that the processes' own intervals do not explain
	// (Higgins and Thompson 2002). Both are NaN when an interval has no width.
	Q  float64
	I2 float64
	// Validated is set when every process validated.
	Validated bool
	// Bias is what identical code showed on average in all processes alike.
	Bias float64
	// NoiseFloor is what Delta has to exceed: |Bias| plus its t bound where
	// the reports carry the differences of identical code, else the median of
	// the processes' floors.
	NoiseFloor float64
	// Resolved is set when the interval excludes zero and Delta exceeds the
	// noise floor.
	Resolved bool
	// Warnings are in plain sentences.
	Warnings []string

	biasBound float64
}

// Combine pools reports of the same comparison from several processes. Each is
// one observation of the difference: of its [Decision] where it has one, else
// of its Estimate. The interval is a t interval over them (Student 1908), so it
// covers what one process cannot see: its place in memory. level zero means
// [DefaultConfidenceLevel].
//
// Fewer than three reports, a level outside (0, 1), or a difference that is not
// finite is an error that names the report.
func Combine(reports []Report, level float64) (Pooled, error) {
	return combine(reports, 0, level)
}

// CombineStaged is Combine for a run whose size was fixed from its first stage
// by [Pooled.ProcessesFor]. The half-width takes its standard deviation and its
// degrees of freedom from the first firstStage reports (Stein 1945), so that it
// holds although the size depended on them. firstStage has to lie between three
// and the number of reports.
func CombineStaged(reports []Report, firstStage int, level float64) (Pooled, error) {
	if firstStage < fewestReports || firstStage > len(reports) {
		return Pooled{}, fmt.Errorf("a first stage of %d processes is out of range, it has to lie between %d and the %d reports", firstStage, fewestReports, len(reports))
	}
	return combine(reports, firstStage, level)
}

func combine(reports []Report, firstStage int, level float64) (Pooled, error) {
	if level == 0 {
		level = DefaultConfidenceLevel
	}
	if !(level > 0 && level < 1) {
		return Pooled{}, fmt.Errorf("the level is %v and has to lie between 0 and 1", level)
	}
	if len(reports) < fewestReports {
		return Pooled{}, fmt.Errorf("%d reports are too few to pool, at least %d are needed", len(reports), fewestReports)
	}
	p := Pooled{Processes: len(reports), Level: level, FirstStage: firstStage, Validated: true}
	deltas, errors := make([]float64, len(reports)), make([]float64, len(reports))
	for i, r := range reports {
		delta, low, high, own := r.headline()
		for _, v := range []float64{delta, low, high} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return Pooled{}, fmt.Errorf("report %d: the difference %v [%v, %v] is not finite", i, delta, low, high)
			}
		}
		if !(own > 0 && own < 1) {
			own = DefaultConfidenceLevel
		}
		deltas[i] = delta
		errors[i] = (high - low) / (2 * stat.NormalQuantile((1+own)/2))
		p.Validated = p.Validated && r.Validated
	}
	p.interval(deltas)
	p.SpreadWithin = stat.Median(errors)
	if p.SpreadWithin > 0 {
		p.Inflation = p.SpreadBetween / p.SpreadWithin
	}
	scatter := stat.Cochran(deltas, errors)
	p.Q, p.I2 = scatter.Q, scatter.I2
	p.floor(reports)
	excludes := (p.Low > 0 && p.High > 0) || (p.Low < 0 && p.High < 0)
	p.Resolved = excludes && math.Abs(p.Delta) > p.NoiseFloor
	p.warn(reports, excludes)
	return p, nil
}

// interval sets Delta, its bounds and the spread between processes.
func (p *Pooled) interval(deltas []float64) {
	p.Delta, p.SpreadBetween = stat.MeanAndSD(deltas)
	deviation, degrees := p.SpreadBetween, len(deltas)-1
	if p.FirstStage > 0 {
		_, deviation = stat.MeanAndSD(deltas[:p.FirstStage])
		degrees = p.FirstStage - 1
	}
	half := stat.StudentQuantile((1+p.Level)/2, float64(degrees)) * deviation / math.Sqrt(float64(len(deltas)))
	p.Low, p.High = p.Delta-half, p.Delta+half
}

// floor sets Bias and NoiseFloor. The pooled interval already covers what
// differs between processes, so only what repeats in all of them is left for
// the floor: the mean of identical code's differences.
func (p *Pooled) floor(reports []Report) {
	var means, floors []float64
	missing := false
	for _, r := range reports {
		if !r.Validated {
			continue
		}
		floors = append(floors, r.NoiseFloor)
		differences := append(append([]float64(nil), r.ValidationA.Deltas...), r.ValidationB.Deltas...)
		if len(differences) == 0 {
			missing = true
			continue
		}
		mean, _ := stat.MeanAndSD(differences)
		means = append(means, mean)
	}
	if missing || len(means) < fewestReports {
		if len(floors) > 0 {
			p.NoiseFloor = stat.Median(floors)
		}
		return
	}
	mean, deviation := stat.MeanAndSD(means)
	count := float64(len(means))
	p.biasBound = stat.StudentQuantile((1+p.Level)/2, count-1) * deviation / math.Sqrt(count)
	p.Bias, p.NoiseFloor = mean, math.Abs(mean)+p.biasBound
}

func (p *Pooled) warn(reports []Report, excludes bool) {
	add := func(format string, values ...any) { p.Warnings = append(p.Warnings, fmt.Sprintf(format, values...)) }
	if p.Processes < fewestAdvised {
		add("only %d processes were pooled; %d or more are advisable", p.Processes, fewestAdvised)
	}
	switch {
	case !p.Validated:
		add("not every process measured identical code, so nothing shows what this setup invents")
	case math.Abs(p.Delta) <= p.NoiseFloor:
		add("the difference of %s does not exceed the noise floor of %s", percent(math.Abs(p.Delta)), percent(p.NoiseFloor))
	}
	if p.Bias != 0 && math.Abs(p.Bias) > p.biasBound {
		add("identical code differed by %s in the same direction in all processes: the harness or the machine favours one position", signedPercent(p.Bias))
	}
	if !excludes {
		add("the interval includes zero, so either candidate may be the faster one")
	}
	if p.Inflation > inflationWarning {
		add("processes scatter %.1f times as widely as one process's interval says, so no single process can be trusted here", p.Inflation)
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
	for i, r := range reports {
		if r.Suspended > 0 {
			add("process %d was suspended for about %v while it measured", i, r.Suspended)
		}
	}
}

// Precise reports whether half the interval's width is at most abs, or at most
// rel times |Delta|.
func (p Pooled) Precise(abs, rel float64) bool {
	half := (p.High - p.Low) / 2
	return half <= abs || half <= rel*math.Abs(p.Delta)
}

// ProcessesFor returns how many processes the wanted half-width takes in all,
// judged from this result as a first stage: ((t·s)/h)² rounded up, with h the
// larger of abs and rel·|Delta| (Stein 1945). It is at least Processes, and
// math.MaxInt where no number is enough. Fix the number once and pool with
// [CombineStaged]; looking again after every process makes intervals too narrow.
func (p Pooled) ProcessesFor(abs, rel float64) int {
	wanted := max(abs, rel*math.Abs(p.Delta))
	if !(wanted > 0) {
		return math.MaxInt
	}
	t := stat.StudentQuantile((1+p.Level)/2, float64(p.Processes-1))
	needed := math.Ceil(math.Pow(t*p.SpreadBetween/wanted, 2))
	if !(needed < math.MaxInt32) {
		return math.MaxInt
	}
	return max(p.Processes, int(needed))
}
