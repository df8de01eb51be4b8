package peers

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// pacedConfig is finefile's example, asked in both ways.
const pacedConfig = `[commands.baseline]
alpha.http = { concurrency = 64, requests = %[3]d, urls = [%[1]q] }

[commands.candidate]
alpha.http = { concurrency = 64, requests = %[3]d, urls = [%[2]q] }

[compare.anytime]
a = "baseline"
b = "candidate"
%[4]s
[alpha.compare.jzs]
a = "baseline"
b = "candidate"
`

// pacedRun is one comparison of the two servers.
type pacedRun struct {
	judgement record.Judgement
	stopped   string
	seconds   float64
	requests  int64
	servers   [2]pacedReport
}

// PacedOptions are the sizes of that experiment.
type PacedOptions struct {
	// Requests are those of a whole run, and the most in a slice.
	Requests int
	// BayesRuns is the number of comparisons by finefile's rule.
	BayesRuns int
	// Budget is the time of a comparison by the other one; 0 is the default.
	Budget time.Duration
}

// config is the file that rtcompare run is given.
func (o PacedOptions) config(a, b string) string {
	budget := ""
	if o.Budget > 0 {
		budget = fmt.Sprintf("time-seconds = %g\n", o.Budget.Seconds())
	}
	return fmt.Sprintf(pacedConfig, a, b, o.Requests, budget)
}

// PacedServers compares two servers of known speed by rtcompare run, with its
// own rule and with finefile's.
func PacedServers(s Setup, o PacedOptions) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.buildTool(); err != nil {
		return nil, err
	}
	servers, err := s.startPaced()
	if err != nil {
		return nil, err
	}
	defer servers.stop()
	config := filepath.Join(p.dir, "finefile.toml")
	if err := os.WriteFile(config, []byte(o.config(servers.sides[0].url(), servers.sides[1].url())), 0o600); err != nil {
		return nil, fmt.Errorf("writing the configuration: %w", err)
	}
	anytime, err := s.pacedRuns(p, servers, config, "anytime", s.Trials)
	if err != nil {
		return nil, err
	}
	bayes, err := s.pacedRuns(p, servers, config, "jzs", o.BayesRuns)
	if err != nil {
		return nil, err
	}
	return s.pacedTable(p, servers, o.Requests, anytime, bayes), nil
}

func (s Setup) pacedRuns(p *place, servers *pacedServers, config, name string, count int) ([]pacedRun, error) {
	var runs []pacedRun
	for i := range count {
		if _, err := servers.reports(); err != nil { // what came before does not count
			return nil, err
		}
		seed := fmt.Sprint(s.Seed + uint64(i))
		done, err := p.compare([]string{"run", "-f", config, "--quiet", "--seed", seed}, name)
		if err != nil {
			return nil, err
		}
		run := pacedRun{stopped: done.record.End.Stopped, seconds: done.exit.Usage.Wall.Seconds()}
		if run.judgement, err = done.judgement("wall"); err != nil {
			return nil, err
		}
		if run.servers, err = servers.reports(); err != nil {
			return nil, err
		}
		run.requests = run.servers[0].Requests + run.servers[1].Requests
		runs = append(runs, run)
		if s.Progress != nil {
			s.Progress(name, i+1, count)
		}
	}
	return runs, nil
}

func (s Setup) pacedTable(p *place, servers *pacedServers, requests int, anytime, bayes []pacedRun) *sheet.Sheet {
	table := &sheet.Sheet{
		Title: fmt.Sprintf("paced-servers: two servers with an answer every %v and every %v, so that B is faster by 4 to 3; 64 connections, rtcompare run",
			4*servers.step, 3*servers.step),
		Columns: []string{"rule", "runs", "B faster", "interval holds the truth", "median ratio", "median interval", "requests, median", "requests, most", "seconds, median"},
	}
	truth := math.Log(3.0 / 4)
	right, held := 0, 0
	var sums [2]pacedReport
	for _, rows := range []struct {
		name string
		runs []pacedRun
	}{{"anytime", anytime}, {fmt.Sprintf("jzs, runs of %d", requests), bayes}} {
		faster, inside := 0, 0
		var ratio, low, high, count, seconds []float64
		for _, run := range rows.runs {
			j := run.judgement
			if j.Verdict == record.Faster {
				faster++
			}
			if j.Low <= truth && truth <= j.High {
				inside++
			}
			ratio, low, high = append(ratio, math.Exp(-j.LogRatio)), append(low, math.Exp(-j.High)), append(high, math.Exp(-j.Low))
			count, seconds = append(count, float64(run.requests)), append(seconds, run.seconds)
			for i := range sums {
				sums[i].add(run.servers[i])
			}
		}
		if rows.name == "anytime" {
			right, held = faster, inside
		}
		table.Add(rows.name, len(rows.runs), faster, inside, fmt.Sprintf("%.4f", stat.Median(ratio)),
			fmt.Sprintf("%.4f to %.4f", stat.Median(low), stat.Median(high)), fmt.Sprintf("%.0f", stat.Median(count)), fmt.Sprintf("%.0f", largest(count)), fmt.Sprintf("%.1f", stat.Median(seconds)))
	}
	table.Notes = []string{
		fmt.Sprintf("By the servers' own count and clock an answer left every %.2f µs and every %.2f µs, a ratio of %.4f; %s and %s of them left more than an interval late and were caught up with.",
			sums[0].mean()/1e3, sums[1].mean()/1e3, sums[0].mean()/sums[1].mean(), lateShare(sums[0]), lateShare(sums[1])),
		"Requests are all that the servers answered, with warm-up and what leads a slice in. Seconds are those of the whole program.",
		p.conditions(),
	}
	table.Bars = []sheet.Bar{
		share("runs that say B is faster", right, len(anytime), 1),
		share("intervals that hold the truth", held, len(anytime), 0.9),
		{Name: "requests of anytime for one of jzs, medians", Kind: sheet.Number, Limit: 1.0 / 3, Measured: medianRequests(anytime) / medianRequests(bayes), Trials: len(bayes)},
	}
	return table
}

func lateShare(r pacedReport) string {
	return sheet.Format(sheet.Percent(float64(r.Late) / float64(max(1, r.Requests))))
}

func medianRequests(runs []pacedRun) float64 {
	var all []float64
	for _, run := range runs {
		all = append(all, float64(run.requests))
	}
	return stat.Median(all)
}

func largest(values []float64) float64 {
	most := math.Inf(-1)
	for _, v := range values {
		most = max(most, v)
	}
	return most
}
