package rtcompare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// from marks reports with where they come from.
func from(reports []Report, origin func(i int) Origin) []Report {
	for i := range reports {
		reports[i].Origin = origin(i)
	}
	return reports
}

func TestCombineKeepsRegimesApart(t *testing.T) {
	serial := func(int) Origin { return Origin{Parallel: 1} }
	mixed := append(from(processes(0.01, 0.1, 0.2, 0.15), serial), from(processes(0.01, 0.1, 0.2), func(int) Origin { return Origin{Parallel: 4} })...)
	_, err := Combine(mixed, 0)
	if err == nil || !strings.Contains(err.Error(), "report 0 was measured alone on its machine and report 3 beside 3 others") {
		t.Errorf("error %v", err)
	}
	// Reports that say nothing go with any others.
	if _, err := Combine(append(mixed[:3:3], processes(0.01, 0.1)...), 0); err != nil {
		t.Error(err)
	}
	if _, err := Combine(mixed[3:], 0); err == nil || !strings.Contains(err.Error(), "2 reports are too few") {
		t.Errorf("error %v", err)
	}
}

func TestCombineTakesTheMachineAsTheUnit(t *testing.T) {
	deltas := []float64{0.10, 0.11, 0.12, 0.20, 0.21, 0.05, 0.06, 0.07, 0.08}
	machines := []string{"a", "a", "a", "b", "b", "c", "c", "c", "c"}
	reports := from(processes(0.002, deltas...), func(i int) Origin { return Origin{Process: i, Machine: machines[i], Kind: "cpu"} })
	p := combined(t, reports)
	var means []float64
	for _, members := range [][]float64{deltas[:3], deltas[3:5], deltas[5:]} {
		sum := 0.0
		for _, d := range members {
			sum -= math.Log1p(-d)
		}
		means = append(means, sum/float64(len(members)))
	}
	mean, low, high := stat.MeanInterval(means, 0.95)
	if p.Unit != UnitMachine || p.Units != 3 || p.Decision.Units != 3 || p.Processes != 9 {
		t.Errorf("%d %v in %d processes", p.Units, p.Unit, p.Processes)
	}
	if d := p.Decision; !near(d.LogRatio, mean, 1e-12) || !near(d.Low, low, 1e-12) || !near(d.High, high, 1e-12) {
		t.Errorf("%v [%v, %v], want %v [%v, %v]", d.LogRatio, d.Low, d.High, mean, low, high)
	}
	if p.Scatter.Machines < 0.05 || p.Scatter.Processes > 0.02 || !math.IsNaN(p.Scatter.Layouts) {
		t.Errorf("%+v", p.Scatter)
	}
	if !warned(p.Warnings, "only 3 machines were pooled") || !strings.Contains(p.String(), "9 processes on 3 machines") {
		t.Errorf("%s", p)
	}
	if _, err := CombineStaged(reports, 5, 0); err == nil || !strings.Contains(err.Error(), "cannot be pooled over machines") {
		t.Errorf("error %v", err)
	}
	if _, err := Combine(reports[:5], 0); err == nil || !strings.Contains(err.Error(), "2 machines only") {
		t.Errorf("error %v", err)
	}
	reports[4].Origin.Machine = ""
	if _, err := Combine(reports, 0); err == nil || !strings.Contains(err.Error(), "others none") {
		t.Errorf("error %v", err)
	}
}

func TestCombineByKind(t *testing.T) {
	kinds := []string{"x86", "x86", "x86", "x86", "x86", "x86", "arm", "arm", "arm"}
	machines := []string{"a", "b", "c", "a", "b", "c", "d", "d", "d"}
	reports := from(processes(0.002, 0.1, 0.11, 0.12, 0.1, 0.11, 0.12, -0.2, -0.21, -0.22), func(i int) Origin { return Origin{Machine: machines[i], Kind: kinds[i]} })
	if _, err := Combine(reports, 0); err == nil || !strings.Contains(err.Error(), "CombineByKind") {
		t.Errorf("error %v", err)
	}
	all, err := CombineByKind(reports, 0)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if k := all[0]; k.Kind != "x86" || k.Machine != "" || k.Pooled.Unit != UnitMachine || k.Pooled.Decision.Verdict != AFaster {
		t.Errorf("%+v", k)
	}
	if k := all[1]; k.Kind != "arm" || k.Machine != "d" || k.Pooled.Unit != UnitProcess || k.Pooled.Decision.Verdict != BFaster {
		t.Errorf("%+v", k)
	}
	if _, err := CombineByKind(reports[:7], 0); err == nil || !strings.Contains(err.Error(), `machine "d" of kind "arm": 1 reports are too few`) {
		t.Errorf("error %v", err)
	}
}

// The three parts of the scatter are told apart, and add up.
func TestScatterBySource(t *testing.T) {
	const layouts, each, within, between, order = 60, 6, 0.004, 0.01, 0.03
	r := NewDPRNG(5)
	var reports []Report
	for layout := range layouts {
		shift := order * normal(&r)
		for range each {
			x := 0.1 + shift + between*normal(&r) + within*normal(&r)
			half := within * stat.NormalQuantile(0.975)
			report := Report{Origin: Origin{Layout: layout + 1}}
			report.Decision = Decision{Verdict: Inconclusive, LogRatio: x, Low: x - half, High: x + half, Level: 0.95}
			reports = append(reports, report)
		}
	}
	p := combined(t, reports)
	if p.Unit != UnitLayout || p.Units != layouts {
		t.Errorf("%d %v", p.Units, p.Unit)
	}
	for _, part := range []struct {
		name      string
		got, want float64
	}{{"within", p.Scatter.Within, within}, {"processes", p.Scatter.Processes, between}, {"layouts", p.Scatter.Layouts, order}} {
		if !near(part.got, part.want, 0.15*part.want) {
			t.Errorf("%s: %v, want about %v", part.name, part.got, part.want)
		}
	}
	if text := p.String(); !strings.Contains(text, "By source: within a process 0.400%, between processes") {
		t.Error(text)
	}
	// One process has no scatter between processes to show.
	if s := combined(t, processes(0.01, 0.1, 0.11, 0.12)).Scatter; !near(s.Within, 0.01/1.96/0.89, 1e-4) || math.IsNaN(s.Processes) || !math.IsNaN(s.Layouts) {
		t.Errorf("%+v", s)
	}
}

func TestPooledDecision(t *testing.T) {
	judged := func(logs ...float64) []Report {
		reports := make([]Report, len(logs))
		for i, x := range logs {
			reports[i].Decision = Decision{Verdict: Inconclusive, LogRatio: x, Low: x - 0.001, High: x + 0.001, Level: 0.95, Pairs: 101}
			reports[i].ValidationA.Deltas, reports[i].ValidationB.Deltas = []float64{0.001, -0.001}, []float64{0.001}
		}
		return reports
	}
	p := combined(t, judged(0.002, 0.003, 0.004, 0.003, 0.003))
	d := p.Decision
	if d.Verdict != AFaster || !d.WithinMargin || d.Pairs != 505 || d.IdenticalRuns != 15 || !near(d.IdenticalSpread, 0.001, 1e-5) {
		t.Errorf("%+v", d)
	}
	// p is the error rate at which the interval touches zero.
	at, err := Combine(judged(0.002, 0.003, 0.004, 0.003, 0.003), 1-d.PValue)
	if err != nil || !near(at.Decision.Low, 0, 1e-12) {
		t.Errorf("at p %v the interval begins at %v (%v)", d.PValue, at.Decision.Low, err)
	}
	if d = combined(t, judged(0.1, -0.1, 0.1, -0.1)).Decision; d.Verdict != Inconclusive || d.WithinMargin {
		t.Errorf("%+v", d)
	}
	// A report without bounds counts, and says nothing about its own error.
	open := judged(0.1, 0.11, 0.12, 0.1)
	open[1].Decision.Low, open[1].Decision.High = math.Inf(-1), math.Inf(1)
	if p = combined(t, open); p.Decision.Verdict != AFaster || !math.IsNaN(p.Q) || !(p.SpreadWithin > 0) {
		t.Errorf("%+v", p)
	}
	// Where no report has bounds, nothing is known about the noise within one.
	for i := range open {
		open[i].Decision.Low, open[i].Decision.High = math.Inf(-1), math.Inf(1)
	}
	if p = combined(t, open); !math.IsNaN(p.SpreadWithin) || p.Inflation != 0 || !strings.Contains(p.String(), "no process's own interval has bounds") {
		t.Errorf("%+v\n%s", p, p)
	}
	open[1].Decision.LogRatio = math.NaN()
	if _, err := Combine(open, 0); err == nil || !strings.Contains(err.Error(), "report 1") {
		t.Errorf("error %v", err)
	}
}

func TestPooledProcessorTimeMayOppose(t *testing.T) {
	reports := processes(0.01, 0.1, 0.11, 0.12, 0.1, 0.11)
	for i := range reports {
		reports[i].Processor = &Decision{LogRatio: -0.2 - 0.01*float64(i%2)}
	}
	p := combined(t, reports)
	if p.Decision.Verdict != Inconclusive || !p.Decision.Mixed || p.Resolved || !warned(p.Warnings, "opposite directions") || !strings.Contains(p.String(), "MIXED") {
		t.Errorf("%+v", p)
	}
	reports[3].Processor = nil
	if p = combined(t, reports); p.Decision.Mixed || p.Decision.Verdict != AFaster {
		t.Errorf("%+v", p.Decision)
	}
}

// A nominal 95 % interval holds the truth whatever the processes differ by, and
// however unequal their own errors are.
func TestCombineCoversHeterogeneousProcesses(t *testing.T) {
	const trials, truth = 20000, 0.1
	r := NewDPRNG(23)
	for _, count := range []int{3, 5, 10} {
		for _, tau := range []float64{0, 1, 4} {
			held := 0
			for range trials {
				logs := make([]float64, count)
				for i := range logs {
					error := 0.01 * math.Exp(r.Float64()-0.5) // by a factor of 2.7
					logs[i] = truth + 0.01*tau*normal(&r) + error*normal(&r)
				}
				mean, law := lawOf(logs, 0)
				if math.Abs(mean-truth) <= law.half(0.05) {
					held++
				}
			}
			most := 0.958
			if count == 3 && tau == 0 {
				most = 0.965 // unequal errors cost three processes some
			}
			if share := float64(held) / trials; share < 0.942 || share > most {
				t.Errorf("%d processes, tau %v: %.2f %% of the intervals hold the truth", count, tau, 100*share)
			}
		}
	}
}

func TestOriginIsInTheRecord(t *testing.T) {
	m := newMachine()
	reports, err := m.run(t.Context(), m.pair(100, 104), short())
	if err != nil {
		t.Fatal(err)
	}
	reports[0].Origin = Origin{Process: 3, Layout: 2, Parallel: 4, Machine: "host", Kind: "cpu"}
	found := reread(t, reports[0])
	if found.Origin != reports[0].Origin || !slices.Equal(found.SamplesA, reports[0].SamplesA) {
		t.Errorf("%+v", found.Origin)
	}
	if found = reread(t, found); found.Origin != reports[0].Origin {
		t.Errorf("%+v after a second time", found.Origin)
	}
}
