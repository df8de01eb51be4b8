package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func sample() Record {
	return Record{
		Head: Head{Schema: Schema, Tool: "test", Kind: "functions", Arms: []Arm{{Name: "a"}, {Name: "b"}}},
		Units: []Unit{
			{Purpose: AA, Cells: []Cell{{Arm: 0, N: 7, Wall: []int64{3, 1, 2}}, {Arm: 0, Replica: 1, N: 7, Wall: []int64{2, 2, 2}}}},
			{Purpose: Main, Index: 1, Cells: []Cell{{Arm: 0, N: 7, Wall: []int64{5}, CPU: []int64{4}, Preempted: -1}}},
		},
		Judgements: []Judgement{{Version: "1", Arm: 1, Metric: "wall", Verdict: Faster, Warnings: []Warning{{Code: "x", Values: map[string]float64{"v": 1.5}}}}},
	}
}

func write(t testing.TB, r Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, r.Head)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range r.Units {
		if err := w.Unit(u); err != nil {
			t.Fatal(err)
		}
	}
	for _, j := range r.Judgements {
		if err := w.Judgement(j); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	text := write(t, sample())
	got, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := sample(); !reflect.DeepEqual(got, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", got, want)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(text)
	z.Close()
	again, err := Read(&zipped)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("gzipped record differs: %v", err)
	}
}

func TestTornLastLineIsDropped(t *testing.T) {
	text := write(t, sample())
	torn := text[:len(text)-20]
	got, err := Read(bytes.NewReader(torn))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Torn || len(got.Units) != 2 || len(got.Judgements) != 0 {
		t.Errorf("torn=%v units=%d judgements=%d, want true 2 0", got.Torn, len(got.Units), len(got.Judgements))
	}
}

func TestBadInput(t *testing.T) {
	head := `{"head":{"schema":"rtcompare/1","arms":null}}` + "\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "no head"},
		{"not json", "hello\n", "line 1"},
		{"unit first", `{"unit":{"purpose":"main","cells":null}}` + "\n", "not a head"},
		{"newer schema", `{"head":{"schema":"rtcompare/9"}}` + "\n", `"rtcompare/9" is not known`},
		{"damage in the middle", head + "{\n" + `{"unit":{}}` + "\n", "line 2"},
		{"second head", head + head + "\n", "second head"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestInfiniteBoundsAreWritten(t *testing.T) {
	r := sample()
	r.Judgements[0].Low, r.Judgements[0].High = math.Inf(-1), math.Inf(1)
	r.Judgements[0].PValue = math.NaN()
	got, err := Read(bytes.NewReader(write(t, r)))
	if err != nil || got.Judgements[0].High != math.MaxFloat64 {
		t.Errorf("infinite bound: %v %v", got.Judgements, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestFullDisk(t *testing.T) {
	if _, err := NewWriter(full{}, Head{}); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk gives %v", err)
	}
}

func TestFindAndSelect(t *testing.T) {
	r := sample()
	if c := r.Units[0].Find(0, 1); c == nil || c.Wall[0] != 2 {
		t.Errorf("Find(0, 1) = %v", c)
	}
	if r.Units[0].Find(3, 0) != nil {
		t.Error("Find invents a cell")
	}
	if got := Select(r.Units, Main); len(got) != 1 || got[0].Index != 1 {
		t.Errorf("Select = %v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(write(f, sample()))
	f.Add([]byte("{}\n{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err == nil && r.Head.Schema != Schema {
			t.Errorf("a record without a head was accepted")
		}
	})
}
