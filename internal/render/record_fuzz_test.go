package render

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// written is a record as the file holds it.
func written(t testing.TB, r record.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := record.NewWriter(&out, r.Head)
	for _, u := range r.Units {
		if err == nil {
			err = w.Unit(u)
		}
	}
	for _, j := range r.Judgements {
		if err == nil {
			err = w.Judgement(j)
		}
	}
	if err == nil && r.End != nil {
		err = w.End(*r.End)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// oddRecords are runs in which something is missing, zero or enormous.
func oddRecords(t testing.TB) map[string]record.Record {
	few := twoCommands
	few.units = 1
	odd := map[string]record.Record{"empty": {}}
	change := func(name string, change func(*record.Record)) {
		r := few.record(t)
		change(&r)
		odd[name] = r
	}
	eachWall := func(f func(wall []int64) []int64) func(*record.Record) {
		return func(r *record.Record) {
			for i := range r.Units {
				for k := range r.Units[i].Cells {
					r.Units[i].Cells[k].Wall = f(r.Units[i].Cells[k].Wall)
				}
			}
		}
	}
	change("one run", eachWall(func(wall []int64) []int64 { return wall[:1] }))
	change("no time", eachWall(func(wall []int64) []int64 { clear(wall); return wall }))
	change("negative times", eachWall(func(wall []int64) []int64 { wall[1] = -5; return wall }))
	change("enormous times", eachWall(func(wall []int64) []int64 { wall[0] = math.MaxInt64; return wall }))
	change("no cells", func(r *record.Record) { r.Units[0].Cells = nil })
	change("unread", func(r *record.Record) {
		for k := range r.Units[0].Cells {
			cell := &r.Units[0].Cells[k]
			cell.CPU = []int64{-1, -1, -1, -1}
			cell.Extra["memory"] = record.Values{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		}
	})
	change("no bounds", func(r *record.Record) {
		for i := range r.Judgements {
			j := &r.Judgements[i]
			j.Verdict, j.LogRatio, j.Low, j.High = record.Slower, math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64
			j.SmallestVisible, j.IdenticalSpread, j.ErrorRate, j.Margin = math.Inf(1), math.Inf(1), 1, math.Inf(1)
			j.Margin = 1e300
		}
	})
	change("no arms", func(r *record.Record) { r.Head.Arms = nil })
	servers := twoServers
	servers.units = 1
	odd["servers"] = servers.record(t)
	odd["no requests"] = servers.record(t)
	for k := range odd["no requests"].Units[0].Cells {
		odd["no requests"].Units[0].Cells[k].N = 0
	}
	return odd
}

// badNumber is what no reader should see.
var badNumber = regexp.MustCompile(`NaN|[+-]?Inf\b|%!`)

// manyOptions are looks that differ in everything.
var manyOptions = []Options{{}, {Width: 1, Colour: true, Details: true, TimeUnit: "second", Sort: SortMean}, {Width: 200, Sort: SortCommand}}

// rendered renders a record in every form and returns all texts.
func rendered(t *testing.T, r record.Record, options ...Options) []byte {
	c, err := Summarise(r)
	if err != nil {
		return nil // damaged latencies
	}
	var all []byte
	for _, o := range options {
		all = slices.Concat(all, []byte(Text(c, o)+Verdicts(c, o)+Markdown(c, o)+AsciiDoc(c, o)+Org(c, o)))
		for _, kind := range PlotKinds {
			image, err := Plot(kind, c, o)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, image)
			all = slices.Concat(all, image)
		}
		page, err := HTML(c, o, PlotWhisker)
		if err != nil {
			t.Fatal(err)
		}
		all = slices.Concat(all, page)
	}
	table, err := CSV(c)
	if err != nil {
		t.Fatal(err)
	}
	document, err := JSON(c)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(document) {
		t.Fatalf("not JSON: %s", document)
	}
	return slices.Concat(all, table)
}

// plainWords takes everything out of a record that could bring words of its own.
func plainWords(r *record.Record) {
	for i := range r.Head.Arms {
		r.Head.Arms[i] = record.Arm{Name: "arm"}
	}
	r.Head.Plan, r.Head.Host, r.Head.Tool, r.Head.Metrics, r.End = nil, nil, "", nil, nil
	for i := range r.Units {
		for k := range r.Units[i].Cells {
			r.Units[i].Cells[k].Counts = nil
		}
	}
	for i := range r.Judgements {
		j := &r.Judgements[i]
		j.Warnings = nil
		if j.Metric != "cpu" && j.Metric != "p99" {
			j.Metric = "wall"
		}
	}
}

func TestOddRecords(t *testing.T) {
	for name, r := range oddRecords(t) {
		t.Run(name, func(t *testing.T) {
			if bad := badNumber.Find(rendered(t, r, manyOptions...)); bad != nil {
				t.Errorf("%s reached the reader: %s", bad, Text(mustSummarise(t, r), Options{}))
			}
		})
	}
}

const mutations = 400

// TestMutatedRecords changes a few values of good records, wherever they stand,
// to ones that nobody expects, and leaves things out. It is always the same.
func TestMutatedRecords(t *testing.T) {
	odd := oddRecords(t)
	var names []string
	for name, r := range odd {
		if len(r.Units) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	random := rand.New(rand.NewPCG(7, 7))
	read := 0
	for range mutations {
		r := odd[names[random.IntN(len(names))]]
		r.Head.Schema = record.Schema
		var file bytes.Buffer
		for _, line := range bytes.Split(bytes.TrimSpace(written(t, r)), []byte("\n")) {
			var document any
			if err := json.Unmarshal(line, &document); err != nil {
				t.Fatal(err)
			}
			document = mutated(document, random)
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			file.Write(append(text, '\n'))
		}
		r, err := record.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			continue
		}
		read++
		plainWords(&r)
		if bad := badNumber.Find(rendered(t, r, manyOptions[random.IntN(len(manyOptions))])); bad != nil {
			t.Errorf("%s reached the reader of\n%s", bad, file.Bytes())
		}
	}
	t.Logf("%d could be read", read)
	if read < 100 {
		t.Errorf("only %d of the changed records could be read", read)
	}
}

// mutated changes about one leaf in sixty of a JSON value.
func mutated(value any, random *rand.Rand) any {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = mutated(v[key], random)
			if key != "schema" && key != "head" && random.IntN(200) == 0 {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = mutated(v[i], random)
		}
		if len(v) > 0 && random.IntN(40) == 0 {
			return v[:random.IntN(len(v))]
		}
	case float64:
		switch {
		case random.IntN(60) > 0:
		case v != math.Trunc(v) || v > 1e15: // a field for any number
			return []float64{0, 1e308, -1e308, 1e-308, -1, 1, 700, -800}[random.IntN(8)]
		default:
			return []float64{0, 1, -1, 2, 1000000, 9000000000000000000, -9000000000000000000}[random.IntN(7)]
		}
	}
	return value
}

// FuzzRecord reads any file as a record and renders it: nothing may panic, every
// figure and export stays well formed, and no reader sees a number that is none.
func FuzzRecord(f *testing.F) {
	// Small seeds: the fuzzer spends most of its time on making inputs smaller.
	for _, lines := range [][]string{
		{`{"head":{"schema":"rtcompare/1","kind":"commands","arms":[{"name":"a"},{"name":"b"}],"metrics":[{"name":"memory","unit":"B"}]}}`,
			`{"unit":{"purpose":"main","order":"fb","cells":[{"arm":0,"n":1,"wall":[5000000,6000000],"extra":{"memory":[1,null]}},{"arm":1,"n":1,"wall":[7,8],"cpu":[-1,3]}]}}`,
			`{"judgement":{"arm":1,"metric":"wall","verdict":"slower","log_ratio":0.1,"low":0.05,"high":0.15,"error_rate":0.01,"units":1,"units_needed":9}}`},
		{`{"head":{"schema":"rtcompare/1","kind":"servers","arms":[{"name":"a"}],"plan":{"method":"fixed","loops":2}}}`,
			`{"unit":{"purpose":"main","cells":[{"n":10,"wall":[1000],"counts":{"status 200":10},"latency":""}]}}`, `{"end":{"stopped":"time","seconds":1}}`},
		{`{"head":{"schema":"rtcompare/1"}}`},
	} {
		f.Add([]byte(strings.Join(lines, "\n")))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := record.Read(bytes.NewReader(file))
		if err != nil || len(r.Head.Arms) > 20 {
			return
		}
		rendered(t, r, manyOptions[1])
		plainWords(&r)
		if bad := badNumber.Find(rendered(t, r, manyOptions[0])); bad != nil {
			t.Errorf("%s reached the reader", bad)
		}
	})
}
