package pooling

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// sizing is how a run of processes gets its size.
type sizing struct {
	first, most int
	// step is what sizes are rounded up to: a whole rotation.
	step int
	// share, where it is set, adds a stage: as soon as that share of what the
	// first stage asks for has run, all of them are asked, once. Fewer than
	// fewestAgain know too little to be asked twice.
	share    float64
	abs, rel float64
}

// againAt is the share of what the first stage asks for that runs before package
// multiproc asks again, where the first stage has fewestAgain processes.
const (
	againAt     = 0.3
	fewestAgain = 6
)

// multiprocSizing is what package multiproc does where its options say nothing.
// Its rule cannot be called without processes, so run says it again; a test
// compares the two in real runs.
func multiprocSizing() sizing {
	step := multiproc.DefaultRotation
	return sizing{
		first: up(multiproc.DefaultMinProcesses, step), most: multiproc.DefaultMaxProcesses, step: step, share: againAt,
		abs: multiproc.DefaultAbsPrecision, rel: multiproc.DefaultRelPrecision,
	}
}

func up(n, step int) int { return (n + step - 1) / step * step }

// sized is a run that was sized, and its answer.
type sized struct {
	pooled    rtcompare.Pooled
	processes int
	// precise is set when the number that was asked for was allowed.
	precise bool
	err     error
}

// run draws processes until there are as many as the scatter asks for, and
// pools them.
func (z sizing) run(next func() (rtcompare.Report, error)) (s sized) {
	var reports []rtcompare.Report
	draw := func(target int) {
		for len(reports) < target && s.err == nil {
			var r rtcompare.Report
			r, s.err = next()
			reports = append(reports, r)
		}
	}
	draw(z.first)
	judged := z.first
	asked := z.asked(reports, &s)
	if z.share > 0 && z.first >= fewestAgain && asked > z.first {
		judged = min(z.most, max(z.first, up(portion(asked, z.share), z.step)))
		draw(judged)
		asked = z.asked(reports, &s)
	}
	s.precise = asked <= z.most
	if !s.precise {
		draw(z.most)
	} else {
		draw(min(z.most, up(asked, z.step)))
	}
	s.processes = len(reports)
	if s.err == nil {
		s.pooled, s.err = widerOf(reports, judged, s.precise)
	}
	return s
}

// portion is a share of a number of processes, which may be out of all reach.
func portion(asked int, share float64) int {
	return int(math.Ceil(min(math.MaxInt32, share*float64(asked))))
}

func (z sizing) asked(reports []rtcompare.Report, s *sized) int {
	if s.err != nil {
		return 0
	}
	pooled, err := fasterFirst(reports)
	if err != nil {
		s.err = fmt.Errorf("pooling %d processes: %w", len(reports), err)
		return 0
	}
	return pooled.ProcessesFor(z.abs, z.rel)
}

// fasterFirst pools reports with the faster candidate in the place of A, so that
// sizes do not depend on which is called A.
func fasterFirst(reports []rtcompare.Report) (rtcompare.Pooled, error) {
	pooled, err := rtcompare.Combine(reports, level)
	if err != nil || pooled.Decision.LogRatio >= 0 {
		return pooled, err
	}
	swapped := make([]rtcompare.Report, len(reports))
	for i, r := range reports {
		d := r.Decision
		d.LogRatio, d.Low, d.High = -d.LogRatio, -d.High, -d.Low
		swapped[i] = rtcompare.Report{Decision: d}
	}
	return rtcompare.Combine(swapped, level)
}

// widerOf takes the plain t interval, or the one whose scatter and degrees of
// freedom come from the processes that sized the run where that is wider. At
// the largest number it is the plain one: the scatter did not choose it.
func widerOf(reports []rtcompare.Report, judged int, precise bool) (rtcompare.Pooled, error) {
	plain, err := rtcompare.Combine(reports, level)
	if err != nil || !precise || judged == len(reports) {
		return plain, err
	}
	staged, err := rtcompare.CombineStaged(reports, judged, level)
	if err != nil || staged.Decision.High-staged.Decision.Low < plain.Decision.High-plain.Decision.Low {
		return plain, err
	}
	return staged, nil
}

// narrow reports whether an interval is as narrow as asked for, with the faster
// candidate in the place of A.
func (z sizing) narrow(p rtcompare.Pooled) bool {
	d := p.Decision
	if d.LogRatio < 0 {
		d.LogRatio, d.Low, d.High = -d.LogRatio, -d.High, -d.Low
	}
	p.Delta, p.Low, p.High = d.Delta()
	return p.Precise(z.abs, z.rel)
}
