package bench

import (
	"hash/fnv"
	"time"
)

const (
	// shortestScreen is the least time for a row on a layout that says anything.
	shortestScreen = 50 * time.Millisecond
	longestScreen  = time.Second
	// screenShare is the part of the time for the screening.
	screenShare = 0.25
	// longestJudge is where more time on a layout adds nothing: the scatter of
	// layouts is larger.
	longestJudge = 2 * time.Second
)

// planFor divides the time: a quarter for the screening of all rows, the rest
// for those that are judged. Where there are no more rows than may be judged
// nothing is screened. start is what starting a row's processes takes; it is a
// part of the time of every visit.
func planFor(rows int, start time.Duration, o Options) Plan {
	p := Plan{Rows: rows, Judged: min(rows, o.Judged), Layouts: o.Layouts, ScreenLayouts: o.ScreenLayouts}
	if o.All {
		p.Judged = rows
	}
	if p.Judged == rows {
		p.ScreenLayouts = 0
	}
	left := o.Time
	if p.ScreenLayouts > 0 {
		budget := time.Duration(screenShare * float64(o.Time))
		fit := int(budget / ((start + shortestScreen) * time.Duration(p.ScreenLayouts)))
		p.Rows = min(rows, fit)
		p.LeftOut, p.Judged = rows-p.Rows, min(p.Judged, p.Rows)
		if p.Rows > 0 {
			p.ScreenTime = min(budget/time.Duration(p.Rows*p.ScreenLayouts), start+longestScreen)
		}
		left -= p.ScreenTime * time.Duration(p.Rows*p.ScreenLayouts)
	}
	if fit := int(left / ((start + shortestScreen) * time.Duration(p.Layouts))); fit < p.Judged {
		if p.ScreenLayouts == 0 {
			p.LeftOut, p.Rows = rows-fit, fit
		}
		p.Judged = fit
	}
	if p.Judged > 0 {
		p.JudgeTime = min(left/time.Duration(p.Judged*p.Layouts), start+longestJudge)
	}
	return p
}

// layoutNumber draws the number of a layout: independent for both sides, so
// that layouts of a pair have nothing in common.
func layoutNumber(seed uint64, side, stage, index int) int {
	h := fnv.New64a()
	for _, v := range []uint64{seed, uint64(side), uint64(stage), uint64(index)} {
		var bytes [8]byte
		for i := range bytes {
			bytes[i] = byte(v >> (8 * i))
		}
		_, _ = h.Write(bytes[:])
	}
	return 1 + int(h.Sum64()%(1<<30))
}
