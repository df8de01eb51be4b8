package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// withParameters names parameters for all arms but the last, and puts
// characters into a name that every format has to keep apart.
func withParameters(r *record.Record) {
	for i := range r.Head.Arms[1:] {
		r.Head.Arms[i].Parameters = []record.Parameter{{Name: "threads", Value: string(rune('1' + i))}}
	}
	r.Head.Arms[0].Name = "grep -c `date`, \"x\" | wc"
}

func TestTables(t *testing.T) {
	for _, run := range []struct {
		name   string
		run    simulated
		change func(*record.Record)
	}{{"two", twoCommands, nil}, {"four", fourCommands, withParameters}, {"servers", twoServers, nil}, {"nothing", simulated{}, nil}} {
		t.Run(run.name, func(t *testing.T) {
			c := run.run.comparison(t, run.change)
			golden(t, "table-"+run.name+".md", Markdown(c, Options{}))
			golden(t, "table-"+run.name+".adoc", AsciiDoc(c, Options{TimeUnit: view.Second}))
			golden(t, "table-"+run.name+".org", Org(c, Options{Sort: SortMean}))
			text, err := CSV(c)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "table-"+run.name+".csv", string(text))
			rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			if err != nil || len(rows) != 1+len(c.Sides) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	small := twoCommands
	small.units = 2
	smallServers := twoServers
	smallServers.units = 1
	for name, run := range map[string]simulated{"commands": small, "servers": smallServers, "nothing": {}} {
		t.Run(name, func(t *testing.T) {
			text, err := JSON(run.comparison(t, nil))
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", string(text))
		})
	}
}

// What hyperfine's scripts read is there, in seconds, and means what it says.
func TestJSONReadsAsHyperfine(t *testing.T) {
	text, err := JSON(twoCommands.comparison(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Results []struct {
			Command                                      string
			Mean, Stddev, Median, User, System, Min, Max float64
			Times                                        []float64
			Memory                                       []uint64 `json:"memory_usage_byte"`
			ExitCodes                                    []*int   `json:"exit_codes"`
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if len(read.Results) != 2 {
		t.Fatalf("%d results", len(read.Results))
	}
	for _, r := range read.Results {
		sum := 0.0
		for _, v := range r.Times {
			sum += v
		}
		if n := float64(len(r.Times)); n != 96 || math.Abs(sum/n-r.Mean) > 1e-12 || r.Mean < 0.005 || r.Mean > 0.008 {
			t.Errorf("%s: mean %v of %v times", r.Command, r.Mean, n)
		}
		if math.Abs(r.User/r.Mean-0.6) > 0.001 || math.Abs(r.System/r.Mean-0.15) > 0.001 || r.Stddev <= 0 || r.Min >= r.Median || r.Median >= r.Max {
			t.Errorf("%+v", r)
		}
		if len(r.Memory) != 96 || len(r.ExitCodes) != 96 || *r.ExitCodes[0] != 0 {
			t.Errorf("%d memory readings, %d exit codes", len(r.Memory), len(r.ExitCodes))
		}
	}
}

func TestRelativeIsThatOfHyperfine(t *testing.T) {
	side := func(mean, sd float64) view.Side {
		return view.Side{Series: []view.Series{{Metric: timeMetric(view.SeriesWall), Statistics: view.Statistics{Known: 3, Mean: mean, SD: sd}}}}
	}
	c := view.Comparison{Sides: []view.Side{side(20, 2), side(10, 1), side(0, 0), side(10, math.NaN())}}
	for _, tt := range []struct {
		side, reference int
		want            string
	}{{0, 1, "2.00 ± 0.28"}, {1, 1, "1.00"}, {1, 0, "2.00 ± 0.28"}, {2, 1, "N/A"}, {1, 2, "N/A"}, {3, 0, "2.00"}} {
		if got := relative(&c, tt.side, tt.reference); got != tt.want {
			t.Errorf("%d to %d: %q, want %q", tt.side, tt.reference, got, tt.want)
		}
	}
}

func TestJZSJSON(t *testing.T) {
	run := twoServers
	run.units = 1
	c := run.comparison(t, nil)
	j := view.JZS{
		Name: "nginx-caddy", A: c.Sides[0], B: c.Sides[1], Verdict: "different", Rounds: 18, Batches: 4, BatchSize: 4,
		Certainty: 0.99, CredibleMass: 0.95, PriorScale: 0.707, Interleave: "abba", LogBF10: 4.68, LogRatio: 0.288, Low: 0.2496, High: 0.3264, SD: 0.024,
		Differences: []float64{0.28, 0.3}, DifferentByRound: []float64{0.5, 0.991}, Different: 0.991, MinEffect: 0.01, Practical: 0.99,
	}
	vast := j
	vast.LogBF10, vast.MinEffect = 1e4, 0
	text, err := JZSJSON([]view.JZS{j, vast})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "jzs.json", string(text))
	undecided := j
	undecided.Verdict, undecided.LogRatio, undecided.Low, undecided.High, undecided.Different, undecided.LogBF10, undecided.Practical = "max-rounds", -0.004, -0.02, 0.012, 0.41, -0.36, 0.2
	alike := undecided
	alike.Verdict = "indistinguishable"
	golden(t, "jzs.txt", JZSText(j, Options{Width: 100})+j.Progress(72)+"\n\n"+JZSText(undecided, Options{Width: 100})+"\n"+JZSText(alike, Options{}))
	var read struct{ Comparisons []map[string]any }
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"bf10", "min_effect", "p_practical"} {
		if _, there := read.Comparisons[0][key]; !there {
			t.Errorf("%s is missing", key)
		}
		if _, there := read.Comparisons[1][key]; there {
			t.Errorf("%s is there without a finite value", key)
		}
	}
}
