package peers

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// hyperfineDurations are how long the commands take.
var hyperfineDurations = []time.Duration{time.Millisecond, 7 * time.Millisecond}

// timed is what one comparison of a command with itself by one tool gave.
type timed struct {
	// logRatios are the estimates that the tool offers: medians and means, or
	// ours by time and by processor time.
	logRatios [2]float64
	// overhead is the time per run that the tool needed beside the runs, in
	// nanoseconds.
	overhead float64
}

// AgainstHyperfine compares commands with themselves by hyperfine and by
// rtcompare, the same number of runs each.
func AgainstHyperfine(s Setup, runs int) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.need("hyperfine", "apt-get install hyperfine"); err != nil {
		return nil, err
	}
	if err := p.buildTool(); err != nil {
		return nil, err
	}
	burn, err := p.buildBurner()
	if err != nil {
		return nil, err
	}
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("against-hyperfine: a command compared with itself, %d runs of each side, by hyperfine -N and by rtcompare cmd", runs),
		Trials:  s.Trials,
		Columns: []string{"command", "tool", "estimate", "sd of the log ratio", "largest", "overhead per run, µs"},
	}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	for _, duration := range hyperfineDurations {
		theirs, ours, err := s.hyperfineTrials(p, random, burn.argv(duration), duration, runs)
		if err != nil {
			return nil, err
		}
		addHyperfine(table, duration, theirs, ours)
	}
	table.Notes = []string{
		"The overhead is the time of the whole tool less that of all the runs it measured, divided by the number of runs; the median over the trials.",
		"The sd is taken around zero, which is the truth. Hyperfine's own answer is the ratio of means; the medians are in its file.",
		p.conditions(),
	}
	return table, nil
}

// hyperfineTrials lets both tools measure in turn, in random order.
func (s Setup) hyperfineTrials(p *place, random *rand.Rand, argv []string, duration time.Duration, runs int) (theirs, ours []timed, err error) {
	for trial := range s.Trials {
		order := random.Perm(2)
		for _, which := range order {
			if which == 0 {
				t, err := p.byHyperfine(argv, runs)
				if err != nil {
					return nil, nil, err
				}
				theirs = append(theirs, t)
				continue
			}
			t, err := p.byRtcompare(argv, runs, s.Seed+uint64(trial))
			if err != nil {
				return nil, nil, err
			}
			ours = append(ours, t)
		}
		s.progress(duration.String(), trial+1)
	}
	return theirs, ours, nil
}

func addHyperfine(table *sheet.Sheet, duration time.Duration, theirs, ours []timed) {
	spread := func(all []timed, which int) (sd, most, overhead float64) {
		var logs, overheads []float64
		for _, t := range all {
			logs, overheads = append(logs, t.logRatios[which]), append(overheads, t.overhead)
			most = max(most, math.Abs(t.logRatios[which]))
		}
		return stat.RootMeanSquare(logs), most, stat.Median(overheads)
	}
	row := func(tool, estimate string, all []timed, which int) (sd, overhead float64) {
		sd, most, overhead := spread(all, which)
		table.Add(duration.String(), tool, estimate, sheet.Percent(sd), sheet.Percent(most), fmt.Sprintf("%.0f", overhead/1e3))
		return sd, overhead
	}
	medians, theirOverhead := row("hyperfine", "ratio of medians", theirs, 0)
	means, _ := row("hyperfine", "ratio of means", theirs, 1)
	wall, ourOverhead := row("rtcompare", "time", ours, 0)
	row("rtcompare", "processor time", ours, 1)
	table.Bars = append(table.Bars,
		sheet.Bar{Name: fmt.Sprintf("%v: sd of rtcompare's ratio for one of hyperfine's of means", duration), Kind: sheet.Number, Limit: 0.1, Measured: wall / means, Trials: len(ours)},
		sheet.Bar{Name: fmt.Sprintf("%v: the same for one of hyperfine's of medians", duration), Kind: sheet.Number, Limit: 0.1, Measured: wall / medians, Trials: len(ours)},
		sheet.Bar{Name: fmt.Sprintf("%v: overhead of rtcompare for one of hyperfine's", duration), Kind: sheet.Number, Limit: 1, Measured: ourOverhead / theirOverhead, Trials: len(ours)},
	)
}

// byHyperfine lets hyperfine measure a command twice.
func (p *place) byHyperfine(argv []string, runs int) (timed, error) {
	file := filepath.Join(p.dir, "hyperfine.json")
	line := strings.Join(argv, " ")
	exit, err := p.run([]string{"hyperfine", "-N", "-r", strconv.Itoa(runs), "--style", "none", "--export-json", file, line, line})
	if err != nil {
		return timed{}, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return timed{}, fmt.Errorf("reading what hyperfine has measured: %w", err)
	}
	var read struct {
		Results []struct {
			Mean, Median float64
			Times        []float64
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return timed{}, fmt.Errorf("reading what hyperfine has measured: %w", err)
	}
	if len(read.Results) != 2 || len(read.Results[0].Times) != runs || len(read.Results[1].Times) != runs {
		return timed{}, fmt.Errorf("hyperfine has not measured two commands %d times", runs)
	}
	a, b := read.Results[0], read.Results[1]
	measured := 0.0
	for _, seconds := range append(a.Times, b.Times...) {
		measured += seconds * 1e9
	}
	return timed{
		logRatios: [2]float64{math.Log(b.Median / a.Median), math.Log(b.Mean / a.Mean)},
		overhead:  (float64(exit.Usage.Wall) - measured) / float64(2*runs),
	}, nil
}

// byRtcompare does the same with rtcompare.
func (p *place) byRtcompare(argv []string, runs int, seed uint64) (timed, error) {
	line := strings.Join(argv, " ")
	done, err := p.compare([]string{"cmd", "--quiet", "--runs", strconv.Itoa(runs), "--seed", strconv.FormatUint(seed, 10)}, "--", line, line)
	if err != nil {
		return timed{}, err
	}
	wall, err := done.judgement("wall")
	if err != nil {
		return timed{}, err
	}
	cpu, err := done.judgement("cpu")
	if err != nil {
		return timed{}, err
	}
	measured, count := 0.0, 0
	for _, unit := range done.record.Units {
		for _, cell := range unit.Cells {
			for _, nanoseconds := range cell.Wall {
				measured += float64(nanoseconds)
				count++
			}
		}
	}
	if count != 2*runs {
		return timed{}, fmt.Errorf("rtcompare has made %d runs, not %d", count, 2*runs)
	}
	return timed{logRatios: [2]float64{wall.LogRatio, cpu.LogRatio}, overhead: (float64(done.exit.Usage.Wall) - measured) / float64(count)}, nil
}
