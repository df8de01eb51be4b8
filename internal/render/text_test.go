package render

import (
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

func TestText(t *testing.T) {
	tests := []struct {
		name   string
		run    simulated
		change func(*record.Record)
		o      Options
	}{
		{"commands", twoCommands, nil, Options{Width: 100}},
		{"commands-narrow", twoCommands, nil, Options{Width: 50}},
		{"commands-colour", twoCommands, nil, Options{Width: 100, Colour: true}},
		{"commands-details", twoCommands, nil, Options{Width: 100, Details: true, TimeUnit: view.Second}},
		{"undecided", likeCommands, stoppedByTime, Options{Width: 100}},
		{"many", fourCommands, nil, Options{Width: 120}},
		{"many-by-mean", fourCommands, nil, Options{Width: 120, Sort: SortMean}},
		{"many-as-given", fourCommands, againstTheFirst, Options{Width: 120, Sort: SortCommand}},
		{"one", oneCommand, nil, Options{}},
		{"servers", twoServers, nil, Options{Width: 100}},
		{"memory-at-floor", twoCommands, memoryBeside, Options{Width: 100}},
		{"by-cpu", fourCommands, byMetric("cpu", "lower"), Options{Width: 120}},
		{"by-speed-of-its-own", twoCommands, byMetric("system", "higher"), Options{Width: 120}},
		{"open-loop", twoServers, openLoop, Options{Width: 100}},
		{"server-alone", simulated{seed: 6, names: []string{"nginx"}, millis: []float64{1}, units: 8, servers: true}, nil, Options{Width: 100}},
		{"many-servers", simulated{seed: 7, names: []string{"nginx", "caddy", "go"}, millis: []float64{1, 1.3, 1.01}, units: 8, servers: true}, nil, Options{Width: 110}},
		{"trouble", twoCommands, trouble, Options{Width: 80}},
		{"nothing", simulated{}, nil, Options{}},
		{"no-runs", simulated{names: []string{"a", "b"}}, nil, Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, "text-"+tt.name+".txt", Text(tt.run.comparison(t, tt.change), tt.o))
		})
	}
}

// byMetric judges a run by another metric, and by time beside it.
func byMetric(metric, better string) func(*record.Record) {
	return func(r *record.Record) {
		r.Head.Plan["metric"] = metric
		for i := range r.Head.Metrics {
			if r.Head.Metrics[i].Name == metric {
				r.Head.Metrics[i].Better = better
			}
		}
		judged := r.Judgements
		for _, j := range judged {
			if j.Metric == "wall" {
				j.Metric = metric
				r.Judgements = append(r.Judgements, j)
			}
		}
	}
}

// openLoop gives each unit latencies from the moment of sending.
func openLoop(r *record.Record) {
	r.Head.Metrics = append(r.Head.Metrics, record.Metric{Name: "service-p50", Unit: "ns", PerUnit: true}, record.Metric{Name: "service-p99", Unit: "ns", PerUnit: true})
	for i := range r.Units {
		for k := range r.Units[i].Cells {
			extra := r.Units[i].Cells[k].Extra
			extra["service-p50"] = record.Values{extra["p50"][0] / 2}
			extra["service-p99"] = record.Values{extra["p99"][0] / 3}
		}
	}
}

func stoppedByTime(r *record.Record) { r.End = &record.End{Stopped: "time", Seconds: 1.5} }

// againstTheFirst leaves only the judgements against the first arm.
func againstTheFirst(r *record.Record) {
	var kept []record.Judgement
	for _, j := range r.Judgements {
		if j.Base == 0 {
			kept = append(kept, j)
		}
	}
	r.Judgements = kept
}

// trouble is a run in which much went wrong.
func trouble(r *record.Record) {
	first := &r.Units[0].Cells[0]
	first.Wall[0] *= 4
	first.Extra["exit-code"][1] = 3
	r.Units[2].Cells[1].Wall[2] *= 9
	r.Head.Metrics = append(r.Head.Metrics, record.Metric{Name: "shell", Unit: "ns"})
	for i := range r.Units {
		for k := range r.Units[i].Cells {
			cell := &r.Units[i].Cells[k]
			cell.Counts["left behind"] = 1
			cell.Extra["shell"] = record.Values{4e5, 4e5, 4e5, 4e5}
			if cell.Arm == 1 {
				cell.Counts["timed out"] = 1
				cell.Extra["run-delay"] = record.Values{9e5, 9e5, 9e5, 9e5}
				cell.Wall[3] = 4_900_000
			}
		}
	}
	r.Torn = true
	r.End = nil
	r.Head.Arms[0].Name = "./old\x1b[31m\n--flag"
	r.Judgements[0].Verdict = record.Unmeasurable
	r.Judgements[0].Warnings = []record.Warning{{Code: "noise", Arm: 1, Values: map[string]float64{"half_width": 0.3}}}
}

// memoryBeside judges memory beside time. That of A is only an upper bound, so
// no ratio of it is shown.
func memoryBeside(r *record.Record) {
	byMetric("memory", "lower")(r)
	r.Head.Plan["metric"] = "wall"
}
