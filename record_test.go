package rtcompare

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// comparisons are reports of every kind.
func comparisons(t *testing.T) map[string][]Report {
	t.Helper()
	all := map[string][]Report{}
	add := func(name string, opt CompareOptions, candidates func(m *machine) []Candidate) {
		m := newMachine()
		reports, err := m.run(context.Background(), candidates(m), opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = reports
	}
	pair := func(m *machine) []Candidate { return m.pair(100, 104) }
	loose := short()
	loose.SkipValidation = true
	add("fixed", short(), pair)
	add("fixed and checked", checked(), pair)
	add("not validated", loose, pair)
	add("equal", short(), func(m *machine) []Candidate { return m.pair(100, 100) })
	add("coarse", short(), func(m *machine) []Candidate { m.tick = 5000; return m.pair(100, 104) })
	add("budget", CompareOptions{Budget: 3 * time.Second, Seed: 7}, pair)
	add("short budget", CompareOptions{Budget: 30 * time.Millisecond}, func(m *machine) []Candidate { return m.pair(100_000, 104_000) })
	add("precision", CompareOptions{Precision: 0.01, Level: 0.9}, pair)
	add("several", CompareOptions{Budget: 3 * time.Second}, func(m *machine) []Candidate {
		return append(pair(m), m.candidate(work{name: "c", ns: 98, scatter: 0.01, seed: 5}))
	})
	add("collections", CompareOptions{Budget: 3 * time.Second}, func(m *machine) []Candidate {
		return []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}),
			m.candidate(work{name: "b", ns: 95, scatter: 0.005, seed: 2, bytes: 16, heap: 400_000, collectorNs: 30, helpers: 0.2})}
	})
	return all
}

// policyOf is what a reader of a record judges it with.
func policyOf(head record.Head, j record.Judgement, purpose record.Purpose, blockLength int) judge.Policy {
	return judge.Policy{
		Arm: j.Arm, Metric: judge.Metric(j.Metric), Purpose: purpose, ErrorRate: j.ErrorRate, Margin: j.Margin,
		Tick: head.Plan["tick_ns"].(float64), Overhead: head.Plan["read_cost_ns"].(float64), Sequential: head.Plan["sequential"].(bool), BlockLength: blockLength,
	}
}

func TestRecordsOfEveryKind(t *testing.T) {
	for name, reports := range comparisons(t) {
		for _, r := range reports {
			var file bytes.Buffer
			if err := r.WriteRecord(&file); err != nil {
				t.Fatal(err)
			}
			t.Run(name+" "+r.NameB, func(t *testing.T) {
				judgedAgain(t, r, file.Bytes())
				readAgain(t, r, file.Bytes())
			})
		}
	}
}

// judgedAgain: a record is enough to come to the same judgement again.
func judgedAgain(t *testing.T, r Report, file []byte) {
	t.Helper()
	found, err := record.Read(bytes.NewReader(file))
	if err != nil || found.Torn {
		t.Fatalf("torn %v, error %v", found.Torn, err)
	}
	if found.Head.Tool != "rtcompare" || found.Head.Kind != "functions" || found.Head.Arms[0].Name != "a" || found.Head.Seed != r.Seed {
		t.Errorf("head %+v", found.Head)
	}
	main := found.Judgements[0]
	purpose := record.Main
	if r.Decision.Collections {
		purpose = record.Cost
	}
	again := judge.Judge(found.Units, policyOf(found.Head, main, purpose, r.BlockLength))
	for field, v := range map[string][2]float64{
		"log ratio": {again.LogRatio, r.Decision.LogRatio}, "low": {again.Low, r.Decision.Low}, "high": {again.High, r.Decision.High},
		"p": {again.PValue, r.Decision.PValue}, "smallest": {again.SmallestVisible, r.Decision.SmallestDifference},
	} {
		if v[0] != v[1] && !(math.IsNaN(v[0]) && math.IsNaN(v[1])) {
			t.Errorf("%s was %v and is %v", field, v[1], v[0])
		}
	}
	if again.Verdict != recordVerdict(r.Decision.Verdict) || again.Units != r.Decision.Units || main.Verdict != again.Verdict {
		t.Errorf("verdict was %v and is %v", r.Decision.Verdict, again.Verdict)
	}
}

// readAgain: a report that is read again says what the first one said.
func readAgain(t *testing.T, r Report, file []byte) {
	t.Helper()
	again, err := ReadRecord(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if again.Decision != r.Decision || again.Resolved != r.Resolved || again.Estimate != r.Estimate {
		t.Errorf("decision %+v\nwas      %+v\nestimate %+v\nwas      %+v", again.Decision, r.Decision, again.Estimate, r.Estimate)
	}
	for field, v := range map[string][2]any{
		"samples of A": {again.SamplesA, r.SamplesA}, "samples of B": {again.SamplesB, r.SamplesB},
		"validation of A": {again.ValidationA, r.ValidationA}, "validation of B": {again.ValidationB, r.ValidationB},
		"noise floor": {again.NoiseFloor, r.NoiseFloor}, "names": {again.NameA + again.NameB, r.NameA + r.NameB},
		"drift": {again.DriftRatio, r.DriftRatio}, "warnings": {again.Warnings, r.Warnings}, "quantization": {again.Quantization, r.Quantization},
		"batches": {again.Protocol.Batches, r.Protocol.Batches}, "typical": {again.Typical, r.Typical}, "processor": {again.Processor, r.Processor},
	} {
		if !reflect.DeepEqual(v[0], v[1]) {
			t.Errorf("%s: %v\nwas %v", field, v[0], v[1])
		}
	}
	// What was read can be written again.
	var second bytes.Buffer
	if err := again.WriteRecord(&second); err != nil {
		t.Fatal(err)
	}
	first, err := record.Read(bytes.NewReader(file))
	if rewritten, err2 := record.Read(&second); err != nil || err2 != nil || !reflect.DeepEqual(rewritten, first) {
		t.Errorf("written again it differs, errors %v and %v", err, err2)
	}
}

func TestRecordsKeepWhatWasMeasured(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 104), short())
	main := record.Select(r.evidence.units, record.Main)
	if len(main) != 1 || len(record.Select(r.evidence.units, record.AA)) != 10 {
		t.Fatalf("%d main units", len(main))
	}
	for i, wall := range main[0].Find(1, 0).Wall {
		if ns := float64(wall) / 200; ns != r.SamplesB[i] {
			t.Errorf("sample %d is %v in the report and %v in the record", i, r.SamplesB[i], ns)
		}
	}
	plan := r.evidence.head.Plan
	if plan["n"] != uint64(200) || plan["level"] != 0.95 || plan["order"] != "ABBA" || plan["sequential"] != false {
		t.Errorf("plan %v", plan)
	}
}

func TestAHandMadeReportHasNoRecord(t *testing.T) {
	var file bytes.Buffer
	if err := (Report{}).WriteRecord(&file); err == nil || file.Len() > 0 {
		t.Errorf("%d bytes, error %v", file.Len(), err)
	}
}

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, context.DeadlineExceeded
	}
	return len(p), nil
}

func TestWriteRecordReturnsTheWritersError(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 104), short())
	var file bytes.Buffer
	if err := r.WriteRecord(&file); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 2000, file.Len() - 1} {
		if err := r.WriteRecord(&fullDisk{room}); err == nil {
			t.Errorf("no error with room for %d of %d bytes", room, file.Len())
		}
	}
}
