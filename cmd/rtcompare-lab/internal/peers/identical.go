package peers

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// identicalDuration is how long the command takes.
const identicalDuration = 7 * time.Millisecond

// identicalRate is the share of such comparisons that may end with a difference.
const identicalRate = 0.01

// CommandsIdentical compares a command with itself, again and again, each time as
// a whole comparison that stops when it likes.
func CommandsIdentical(s Setup, budget time.Duration) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.buildTool(); err != nil {
		return nil, err
	}
	burn, err := p.buildBurner()
	if err != nil {
		return nil, err
	}
	line := strings.Join(burn.argv(identicalDuration), " ")
	name := fmt.Sprintf("a program of %v", identicalDuration)
	return s.identical(p, "commands-identical: rtcompare cmd with twice the same command", name, budget, []string{"cmd"}, line, line)
}

// ServersIdentical compares two equal servers, each a process of its own.
func ServersIdentical(s Setup, budget time.Duration) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.buildTool(); err != nil {
		return nil, err
	}
	var urls []string
	for range 2 {
		server, err := startServer(s.Context, "-role", rolePlain)
		if err != nil {
			return nil, err
		}
		defer server.stop()
		urls = append(urls, server.url())
	}
	return s.identical(p, "commands-identical -servers: rtcompare http with two equal servers", "Go net/http, 13 bytes", budget, []string{"http"}, urls...)
}

func (s Setup) identical(p *place, title, name string, budget time.Duration, command []string, sides ...string) (*sheet.Sheet, error) {
	counts := map[record.Verdict]int{}
	var seconds, ratios, visible []float64
	for trial := range s.Trials {
		before := append(command[:len(command):len(command)], "--quiet", "--seed", strconv.FormatUint(s.Seed+uint64(trial), 10))
		if budget > 0 {
			before = append(before, "--time", budget.String())
		}
		done, err := p.compare(before, append([]string{"--"}, sides...)...)
		if err != nil {
			return nil, err
		}
		j, err := done.judgement("wall")
		if err != nil {
			return nil, err
		}
		counts[j.Verdict]++
		seconds, ratios, visible = append(seconds, done.exit.Usage.Wall.Seconds()), append(ratios, j.LogRatio), append(visible, j.SmallestVisible)
		s.progress(name, trial+1)
	}
	wrong := counts[record.Faster] + counts[record.Slower]
	low, high := binomialInterval(wrong, s.Trials, 0.95)
	table := &sheet.Sheet{
		Title: title, Trials: s.Trials, ErrorAt: identicalRate, Nominal: fmt.Sprintf("nominal %s faster or slower", sheet.Format(sheet.Percent(identicalRate))),
		Columns: []string{"what", "faster or slower", "equivalent", "inconclusive", "unmeasurable", "seconds, median", "sd of the log ratio", "smallest visible, median"},
		Notes:   []string{fmt.Sprintf("95%% interval of the share that is faster or slower: %s to %s.", sheet.Format(sheet.Percent(low)), sheet.Format(sheet.Percent(high)))},
	}
	if budget > 0 {
		table.Notes = append(table.Notes, fmt.Sprintf("Each comparison has at most %v; rtcompare's default is 10s.", budget))
	}
	table.Notes = append(table.Notes, p.conditions())
	table.Add(name, wrong, counts[record.Equivalent], counts[record.Inconclusive], counts[record.Unmeasurable],
		fmt.Sprintf("%.1f", stat.Median(seconds)), sheet.Percent(stat.RootMeanSquare(ratios)), sheet.Percent(stat.Median(visible)))
	table.Bars = []sheet.Bar{{Name: "identical sides called faster or slower", Kind: sheet.Rate, Limit: identicalRate, Measured: float64(wrong) / float64(s.Trials), Trials: s.Trials, Full: 2000}}
	return table, nil
}

// binomialInterval is the exact interval of a share after Clopper and Pearson
// (1934), for k successes in n independent trials.
func binomialInterval(k, n int, level float64) (low, high float64) {
	tail := (1 - level) / 2
	if k > 0 {
		low = bisect(func(p float64) bool { return stat.BinomialAtLeast(n, k, p) < tail })
	}
	high = 1
	if k < n {
		high = bisect(func(p float64) bool { return 1-stat.BinomialAtLeast(n, k+1, p) > tail })
	}
	return low, high
}

// bisect finds where below turns from true to false between 0 and 1.
func bisect(below func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
