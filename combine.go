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
// process counts as one observation; where the reports come from several layouts
// or machines, each of those does, see Units.
//
// Delta and its bounds are the mean and the t interval of ln(B/A), written as
// shares of B's time, so that with A and B swapped the result is its exact
// mirror image. The spreads, Q, I2, Bias and NoiseFloor are on the scale of
// Delta, as in the reports.
type Pooled struct {
	Processes int
	// Delta is the share of B's time that A saves, 1 - exp(-x) at the mean x of
	// ln(B/A); Low and High bound it.
	Delta     float64
	Low, High float64
	// FirstStage is the number of processes whose scatter sized the run, or
	// zero for a plain t interval.
	FirstStage int
	Level      float64
	// SpreadBetween is the standard deviation between the processes' deltas,
	// SpreadWithin the median standard error that one process's own interval
	// implies, NaN where none has bounds, and Inflation their quotient, zero
	// where that is zero or NaN.
	SpreadBetween float64
	SpreadWithin  float64
	Inflation     float64
	// Q is Cochran's statistic of heterogeneity (Cochran 1954), and I2 the
	// share of the scatter that the processes' own intervals do not explain
	// (Higgins and Thompson 2002). Both are NaN when an interval has no width,
	// or no bounds.
	Q  float64
	I2 float64
	// Validated is set when every process validated.
	Validated bool
	// Bias is what identical code showed in all processes alike: the trimmed
	// mean of each process's median, as a share like Delta.
	Bias float64
	// NoiseFloor is what |Delta| has to exceed. Where the reports carry the
	// differences of identical code, it is the size of the bias and of its t
	// bound together, on the scale of ln(B/A), as a share in the direction of
	// Delta. Else it is the median of the processes' floors.
	NoiseFloor float64
	// Resolved is set when Decision names a faster candidate and Delta exceeds
	// the noise floor.
	Resolved bool
	// Warnings are in plain sentences.
	Warnings []string

	// Decision is the verdict over all of them, on the scale of ln(B/A). Its
	// Units are Units.
	Decision Decision
	// Unit says what one observation is, and Units how many there are: all
	// processes, or the layouts or machines where the reports come from more
	// than one.
	Unit  Unit
	Units int
	// Scatter splits the scatter by where it comes from.
	Scatter Scatter
	// NameA and NameB are the candidates' names, empty where the reports have
	// none or do not agree.
	NameA, NameB string
	// Figures are the reports' further numbers; see [CombineFigures].
	Figures []PooledFigure

	// measured is the floor where it comes from identical code, and exceeds is
	// set where the difference exceeds the floor.
	measured noiseFloor
	exceeds  bool
}

// Combine pools reports of the same comparison from several processes. Each is
// one observation of ln(B/A): of its [Decision] where it has one, else of its
// Estimate. The interval is a t interval over them (Student 1908), so it covers
// what one process cannot see: its place in memory. level zero means
// [DefaultConfidenceLevel].
//
// Reports that name several machines in their [Origin] are averaged machine by
// machine, and the machine is the observation: more processes on one machine
// say nothing about the next one. The same holds for several layouts.
// Machines of different kinds may truly differ; see [CombineByKind].
//
// An error names the report: fewer than three observations, a level outside
// (0, 1), a difference that is not finite or not below 100 %, or reports that
// were measured in another number of processes at the same time than the
// others, which is another question: how fast both are on a loaded machine.
func Combine(reports []Report, level float64) (Pooled, error) {
	return combine(reports, 0, level)
}

// CombineStaged is Combine for a run whose size was fixed from its first stage
// by [Pooled.ProcessesFor]. The half-width takes its standard deviation and its
// degrees of freedom from the first firstStage reports (Stein 1945), so that it
// holds although the size depended on them. firstStage has to lie between three
// and the number of reports. The processes have to be the observations: a run
// over several machines or layouts cannot be staged.
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
	unit, err := checkOrigins(reports)
	if err != nil {
		return Pooled{}, err
	}
	seen, err := observe(reports)
	if err != nil {
		return Pooled{}, err
	}
	units := unitsOf(reports, seen, unit)
	if len(units) < fewestReports {
		return Pooled{}, fmt.Errorf("the reports come from %d %ss only, at least %d are needed because the %s is what varies", len(units), unit, fewestReports, unit)
	}
	if firstStage > 0 && unit != UnitProcess {
		return Pooled{}, fmt.Errorf("a staged run cannot be pooled over %ss: their number has to be fixed in advance", unit)
	}
	p := Pooled{Processes: len(reports), Level: level, FirstStage: firstStage, Validated: true, Unit: unit, Units: len(units)}
	p.NameA, p.NameB = namesOf(reports)
	if p.Figures, err = CombineFigures(reports, level); err != nil {
		return Pooled{}, err
	}
	for _, r := range reports {
		p.Validated = p.Validated && r.Validated
	}
	p.spreads(units)
	p.decide(reports, units)
	p.floor(reports)
	p.Scatter = scatterOf(reports, seen)
	p.Resolved = p.Decision.names() && p.exceeds
	p.warn(reports)
	return p, nil
}

// spreads sets how much the units differ, on the scale of Delta.
func (p *Pooled) spreads(units []observation) {
	shares, errors := make([]float64, len(units)), make([]float64, len(units))
	known := make([]float64, 0, len(units))
	for i, u := range units {
		shares[i], errors[i] = u.share, u.shareError
		if !math.IsNaN(u.shareError) {
			known = append(known, u.shareError)
		}
	}
	_, p.SpreadBetween = stat.MeanAndSD(shares)
	p.SpreadWithin = math.NaN()
	if len(known) > 0 {
		p.SpreadWithin = stat.Median(known)
	}
	if p.SpreadWithin > 0 {
		p.Inflation = p.SpreadBetween / p.SpreadWithin
	}
	scatter := stat.Cochran(shares, errors)
	p.Q, p.I2 = scatter.Q, scatter.I2
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
// Where layouts or machines are the observations, it is their number.
func (p Pooled) ProcessesFor(abs, rel float64) int {
	wanted := max(abs, rel*math.Abs(p.Delta))
	if !(wanted > 0) {
		return math.MaxInt
	}
	have := p.Processes
	if p.Unit != UnitProcess {
		have = p.Units
	}
	t := stat.StudentQuantile((1+p.Level)/2, float64(have-1))
	needed := math.Ceil(math.Pow(t*p.SpreadBetween/wanted, 2))
	if !(needed < math.MaxInt32) {
		return math.MaxInt
	}
	return max(have, int(needed))
}
