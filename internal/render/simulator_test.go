package render

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// simulated is a run that never was: arms with the given times in milliseconds
// and 2 % of scatter, always the same for the same seed.
type simulated struct {
	seed    uint64
	names   []string
	millis  []float64
	units   int
	servers bool
	random  *rand.Rand
}

// record measures the arms in the order a b b' a' and back, and judges all
// pairs on time, and the first against the others on what else there is.
func (s simulated) record(t testing.TB) record.Record {
	t.Helper()
	s.random = rand.New(rand.NewPCG(s.seed, 1))
	r := record.Record{Head: s.head()}
	for index := range s.units {
		r.Units = append(r.Units, s.unit(t, index))
	}
	metrics := []string{"wall", "cpu"}
	if s.servers {
		metrics = append(metrics, "p50", "p99")
	}
	rate := 0.01 / math.Max(1, float64(len(s.names)*(len(s.names)-1)/2))
	for base := range s.names {
		for arm := base + 1; arm < len(s.names); arm++ {
			for _, metric := range metrics {
				r.Judgements = append(r.Judgements, judge.Judge(r.Units, judge.Policy{
					Base: base, Arm: arm, Metric: judge.Metric(metric), ErrorRate: rate, Margin: math.Log(1.01), Sequential: true, Tick: 40,
				}))
			}
		}
	}
	r.End = &record.End{Stopped: "clear", Seconds: 3.2}
	return r
}

func (s simulated) head() record.Head {
	h := record.Head{
		Schema: record.Schema, Tool: "rtcompare test", Kind: "commands", Started: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Plan: map[string]any{"method": "anytime", "error_rate": 0.01, "margin": 0.01},
		Host: map[string]any{"os": "linux", "cpu_model": "Example <CPU> 3000", "logical_cpus": 2.0},
		Metrics: []record.Metric{
			{Name: "user", Unit: "ns", Better: "lower"}, {Name: "system", Unit: "ns", Better: "lower"},
			{Name: "memory", Unit: "B", Better: "lower", UpperBound: true}, {Name: "exit-code"}, {Name: "run-delay", Unit: "ns", Better: "lower"},
		},
	}
	if s.servers {
		h.Kind = "servers"
		h.Metrics = []record.Metric{
			{Name: "client-cpu", Unit: "ns", Better: "lower"}, {Name: "failed", Better: "lower"}, {Name: "received", Unit: "B"},
			{Name: "p50", Unit: "ns", Better: "lower", PerUnit: true}, {Name: "p99", Unit: "ns", Better: "lower", PerUnit: true},
		}
	}
	for _, name := range s.names {
		command := name
		if s.servers {
			command = "http://127.0.0.1:8080/" + name
		}
		h.Arms = append(h.Arms, record.Arm{Name: name, Command: command})
	}
	return h
}

func (s simulated) unit(t testing.TB, index int) record.Unit {
	const rounds = 4
	u := record.Unit{Purpose: record.Main, Index: index, Order: strings.Repeat("fb", rounds/2)}
	for slot := range 2 * len(s.names) {
		arm, replica := slot, 0
		if slot >= len(s.names) {
			arm, replica = 2*len(s.names)-1-slot, 1
		}
		if s.servers {
			u.Cells = append(u.Cells, s.server(t, arm, replica, rounds))
		} else {
			u.Cells = append(u.Cells, s.command(arm, replica, rounds))
		}
	}
	return u
}

func (s simulated) scattered(ns float64) float64 { return ns * math.Exp(0.02*s.random.NormFloat64()) }

func (s simulated) command(arm, replica, rounds int) record.Cell {
	cell := record.Cell{Arm: arm, Replica: replica, N: 1, Extra: map[string]record.Values{}, Counts: map[string]int64{"exit 0": int64(rounds)}}
	if arm == 0 {
		cell.Counts["memory at floor"] = int64(rounds)
	}
	for range rounds {
		wall := s.scattered(1e6 * s.millis[arm])
		user, system := math.Round(0.6*wall), math.Round(0.15*wall)
		cell.Wall = append(cell.Wall, int64(wall))
		cell.CPU = append(cell.CPU, int64(user+system))
		for name, v := range map[string]float64{"user": user, "system": system, "memory": float64(4_300_800 + 4096*s.random.IntN(3)), "exit-code": 0, "run-delay": 1000} {
			cell.Extra[name] = append(cell.Extra[name], v)
		}
	}
	return cell
}

func (s simulated) server(t testing.TB, arm, replica, rounds int) record.Cell {
	const requests = 1000
	cell := record.Cell{Arm: arm, Replica: replica, N: requests, Extra: map[string]record.Values{}, Counts: map[string]int64{"status 200": int64(requests*rounds) - int64(arm), "status 503": int64(arm)}}
	latency := hdrhistogram.New(1, 1e9, 3)
	for range rounds {
		each := s.scattered(1e6 * s.millis[arm])
		cell.Wall = append(cell.Wall, int64(each*requests/8))
		cell.CPU = append(cell.CPU, int64(each*requests/20))
		cell.Extra["client-cpu"] = append(cell.Extra["client-cpu"], math.Round(each*requests/30))
		cell.Extra["failed"] = append(cell.Extra["failed"], 0)
		cell.Extra["received"] = append(cell.Extra["received"], 13*requests)
		for range requests {
			if err := latency.RecordValue(int64(each * (0.5 + s.random.ExpFloat64()/2))); err != nil {
				t.Fatal(err)
			}
		}
	}
	cell.Extra["p50"] = record.Values{float64(latency.ValueAtQuantile(50))}
	cell.Extra["p99"] = record.Values{float64(latency.ValueAtQuantile(99))}
	text, err := latency.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	cell.Latency = string(text)
	return cell
}

// comparison summarises a simulated run after a change of the record.
func (s simulated) comparison(t testing.TB, change func(*record.Record)) view.Comparison {
	t.Helper()
	r := s.record(t)
	if change != nil {
		change(&r)
	}
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The runs that most tests look at.
var (
	twoCommands  = simulated{seed: 1, names: []string{"./old x", "./new x"}, millis: []float64{6.81, 6.12}, units: 12}
	likeCommands = simulated{seed: 2, names: []string{"./old x", "./new x"}, millis: []float64{6.81, 6.80}, units: 6}
	fourCommands = simulated{seed: 3, names: []string{"sort -n", "sort", "LC_ALL=C sort | uniq", "tsort"}, millis: []float64{12, 9, 9.005, 30}, units: 12}
	oneCommand   = simulated{seed: 4, names: []string{"./only"}, millis: []float64{3.2}, units: 8}
	twoServers   = simulated{seed: 5, names: []string{"nginx", "caddy"}, millis: []float64{1, 1.25}, units: 8, servers: true}
)
