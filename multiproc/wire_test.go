package multiproc

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// measured is a report of a real comparison, as small as they come.
func measured(t *testing.T) rtcompare.Report {
	t.Helper()
	sum := 0
	candidate := func(name string) rtcompare.Candidate {
		return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
			for i := range n {
				sum += int(i)
			}
		}}
	}
	r, err := rtcompare.Compare(candidate("one"), candidate("other"), rtcompare.CompareOptions{
		Collect:    rtcompare.CollectOptions{Repeats: 11, InnerLoops: 20_000, SkipWarmup: true},
		Thresholds: []float64{0, 0.1}, ValidationRuns: 2, SkipChecks: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func throughText(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(toWire(reflect.ValueOf(from)))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		t.Fatal(err)
	}
	if err := fromWire(data, reflect.ValueOf(to).Elem()); err != nil {
		t.Fatal(err)
	}
}

func TestReportsCrossUnchanged(t *testing.T) {
	processor := rtcompare.Decision{LogRatio: math.Inf(-1), PValue: math.NaN()}
	r := rtcompare.Report{
		NsPerOpA: 0.1, SamplesA: []float64{1, 1.0 / 3, math.SmallestNonzeroFloat64, math.MaxFloat64}, SamplesB: []float64{},
		Estimate:   rtcompare.Estimate{Delta: -0.1, Low: math.Inf(-1), High: math.Inf(1), Level: 0.95, Resamples: math.MaxUint64},
		Confidence: rtcompare.Confidences{{Threshold: 0.1, Confidence: math.NaN()}},
		Validated:  true, Seed: math.MaxUint64 - 1, Suspended: time.Hour, LiveHeap: 1 << 60, Warnings: []string{"ä \" \n"},
		ValidationA: rtcompare.HarnessValidation{Deltas: []float64{0, -0.1}},
		Decision:    rtcompare.Decision{Verdict: rtcompare.BFaster, LogRatio: -0.1}, Processor: &processor,
		Protocol: rtcompare.Protocol{Preempted: -1}, NameA: "a", Origin: rtcompare.Origin{Process: 3, Machine: "m"},
	}
	var found rtcompare.Report
	throughText(t, r, &found)
	// NaN is not equal to itself, so the texts are compared.
	if got, want := render(found), render(r); got != want {
		t.Errorf("it became\n%s\nwas\n%s", got, want)
	}
	if found.Processor == nil || found.SamplesB == nil || found.Typical != nil {
		t.Errorf("%+v", found)
	}
}

func render(r rtcompare.Report) string {
	text, _ := json.Marshal(toWire(reflect.ValueOf(r)))
	return string(text)
}

func TestForeignTextIsRefused(t *testing.T) {
	for _, text := range []string{
		`[]`, `"x"`, `{"NsPerOpA":"x"}`, `{"NsPerOpA":true}`, `{"NsPerOpA":{}}`, `{"Seed":-1}`, `{"BlockLength":1.5}`,
		`{"Validated":1}`, `{"SamplesA":{}}`, `{"SamplesA":["x"]}`, `{"Estimate":3}`, `{"Warnings":[1.5,{}]}`, `{"Processor":[]}`,
	} {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var data any
		if err := decoder.Decode(&data); err != nil {
			t.Fatal(err)
		}
		var r rtcompare.Report
		if err := fromWire(data, reflect.ValueOf(&r).Elem()); err == nil {
			t.Errorf("%s was taken for a report: %+v", text, r)
		}
	}
	// What only one side knows is left alone.
	var r rtcompare.Report
	if err := fromWire(map[string]any{"Tomorrow": "x", "Seed": json.Number("7")}, reflect.ValueOf(&r).Elem()); err != nil || r.Seed != 7 {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestOutcomesCrossUnchanged(t *testing.T) {
	r := measured(t)
	byHand := rtcompare.Report{Estimate: rtcompare.Estimate{Delta: 0.1, Level: 0.95}, SamplesA: []float64{1, 2}}
	o := outcome{call: "call", index: 7, seed: math.MaxUint64, records: []recorded{{"measured", r}, {"by hand", byHand}, {"again", r}}}
	path := filepath.Join(t.TempDir(), "out.gz")
	if err := o.writeFile(path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, err := readOutcome(raw)
	if err != nil {
		t.Fatal(err)
	}
	if found.call != "call" || found.index != 7 || found.seed != math.MaxUint64 || found.problem != "" || len(found.records) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, want := range o.records {
		got := found.records[i]
		if got.name != want.name || render(got.report) != render(want.report) {
			t.Errorf("%q became\n%s\nwas\n%s", got.name, render(got.report), render(want.report))
		}
	}
	// The batches came along: the parent can write the record the child could.
	var there, here bytes.Buffer
	if err := errorsOf(r.WriteRecord(&there), found.records[2].report.WriteRecord(&here)); err != nil {
		t.Fatal(err)
	}
	if there.Len() != here.Len() || !slices.Equal(found.records[2].report.SamplesA, r.SamplesA) {
		t.Errorf("a record of %d bytes became one of %d", there.Len(), here.Len())
	}
	if found.records[1].report.WriteRecord(&here) == nil {
		t.Error("a report by hand got a record")
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestDamagedOutcomesAreRefused(t *testing.T) {
	var whole bytes.Buffer
	o := outcome{call: "call", records: []recorded{{"measured", measured(t)}}, problem: "a problem"}
	if err := o.write(&whole); err != nil {
		t.Fatal(err)
	}
	if found, err := readOutcome(whole.Bytes()); err != nil || found.problem != "a problem" {
		t.Errorf("%v, %v", found, err)
	}
	for _, n := range []int{0, 1, 20, whole.Len() / 2, whole.Len() - 9, whole.Len() - 1} {
		if _, err := readOutcome(whole.Bytes()[:n]); err == nil {
			t.Errorf("%d of %d bytes were read as if they were all", n, whole.Len())
		}
	}
	for _, text := range []string{"", "{}\n", `{"end":{}}` + "\n", `{"process":{"schema":"rtcompare-process/9"}}` + "\n",
		`{"process":{"schema":"rtcompare-process/1"}}` + "\n", `{"process":{"schema":"rtcompare-process/1"}}` + "\nx\n",
		`{"process":{"schema":"rtcompare-process/1"}}` + "\n" + `{"report":{"recorded":true}}` + "\n" + `{"end":{}}`,
		`{"process":{"schema":"rtcompare-process/1"}}` + "\n" + `{"report":{"value":3}}` + "\n" + `{"end":{}}`,
	} {
		if found, err := readOutcome(zipped(t, text)); err == nil {
			t.Errorf("%q was read as %+v", text, found)
		}
	}
}

func TestEarlierResultsCross(t *testing.T) {
	book := callBook{seen: map[string]int{}, found: map[string]Results{}}
	begin := func(names ...string) callID { call, _ := book.begin("place", names); return call }
	first, second := begin(), begin()
	named, other := begin("a", "b"), begin("ab")
	if first == second || named == other || named == first {
		t.Errorf("%v %v %v %v", first, second, named, other)
	}
	r := Results{Processes: 6, Seeds: []uint64{math.MaxUint64}, Precise: true, Comparisons: []Comparison{{Name: "x", Reports: []rtcompare.Report{measured(t)}}}}
	book.finish(first, r)
	if r.Comparisons[0].Reports[0].SamplesA == nil {
		t.Error("the caller's results lost their samples")
	}
	text, err := encodeEarlier(book.earlier())
	if err != nil {
		t.Fatal(err)
	}
	found, err := decodeEarlier(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := found[first.String()]; got.Processes != 6 || got.Seeds[0] != math.MaxUint64 || got.Comparisons[0].Name != "x" || len(got.Comparisons[0].Reports) != 1 {
		t.Errorf("%+v", got)
	}
	book.forget("place")
	if again := begin(); again != first || len(book.earlier()) != 0 {
		t.Errorf("%v after forgetting, was %v", again, first)
	}
	if _, err := decodeEarlier([]byte("{")); err == nil {
		t.Error("half a text was read")
	}
}
