package rtcompare

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"
)

// counted is a candidate that notes whether any of its functions ran.
func counted(name string, ran *int) Candidate {
	note := func() { *ran++ }
	return Candidate{Name: name, Setup: note, Batch: func(uint64) { *ran++ }, Teardown: note}
}

// wrongCollect are options that Collect and all that use it refuse.
var wrongCollect = []struct {
	name string
	opt  CollectOptions
	want string
}{
	{"negative repeats", CollectOptions{Repeats: -1}, "Repeats"},
	{"too few repeats", CollectOptions{Repeats: MinimumDataPoints - 1}, "Repeats is 10 and has to be at least 11"},
	{"negative warm-up", CollectOptions{Warmup: -1}, "Warmup"},
	{"negative warm-up time", CollectOptions{WarmupDuration: -time.Second}, "WarmupDuration"},
	{"unknown order", CollectOptions{Order: 3}, "Order(3)"},
	{"negative order", CollectOptions{Order: -1}, "Order(-1)"},
	{"negative quantization error", CollectOptions{MaxQuantizationError: -0.1}, "MaxQuantizationError"},
	{"quantization error of one", CollectOptions{MaxQuantizationError: 1}, "MaxQuantizationError"},
	{"quantization error NaN", CollectOptions{MaxQuantizationError: math.NaN()}, "MaxQuantizationError"},
	{"infinite quantization error", CollectOptions{MaxQuantizationError: math.Inf(1)}, "MaxQuantizationError"},
	{"batch beyond all bounds", CollectOptions{InnerLoops: math.MaxUint64}, "InnerLoops"},
}

func refused(t *testing.T, what string, err error, want string, ran int) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v does not say %q", what, err, want)
	}
	if ran != 0 {
		t.Errorf("%s: %d calls of the candidates before the options were checked", what, ran)
	}
}

func TestCollectOptionsAreCheckedFirst(t *testing.T) {
	for _, tt := range wrongCollect {
		t.Run(tt.name, func(t *testing.T) {
			ran := 0
			a, b := counted("a", &ran), counted("b", &ran)
			_, _, err := Collect(a, b, tt.opt)
			refused(t, "Collect", err, tt.want, ran)
			_, err = Compare(a, b, CompareOptions{Collect: tt.opt})
			refused(t, "Compare", err, tt.want, ran)
			if !strings.Contains(tt.name, "repeats") {
				_, err = Compare(a, b, CompareOptions{Collect: tt.opt, Budget: time.Second})
				refused(t, "Compare with a budget", err, tt.want, ran)
			}
			_, err = CompareAll(context.Background(), []Candidate{a, b, a}, CompareOptions{Collect: tt.opt})
			refused(t, "CompareAll", err, tt.want, ran)
			_, err = ValidateHarness(a, ValidationOptions{Collect: tt.opt})
			refused(t, "ValidateHarness", err, tt.want, ran)
			_, _, err = ValidatePair(a, b, ValidationOptions{Collect: tt.opt})
			refused(t, "ValidatePair", err, tt.want, ran)
		})
	}
}

func TestCompareOptionsAreCheckedFirst(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		opt  CompareOptions
		want string
	}{
		{"threshold", CompareOptions{Thresholds: []float64{0, nan}}, "Thresholds[1] is NaN; F2T"},
		{"level of one", CompareOptions{Level: 1}, "Level is 1"},
		{"negative level", CompareOptions{Level: -0.5}, "Level"},
		{"level NaN", CompareOptions{Level: nan}, "Level"},
		{"level too low for validation", CompareOptions{Level: 0.5}, "Level"},
		{"level of one without validation", CompareOptions{Level: 1, SkipValidation: true}, "Level"},
		{"one run", CompareOptions{ValidationRuns: 1}, "validating: option ValidationRuns is 1 and has to be at least 2"},
		{"negative runs", CompareOptions{ValidationRuns: -1}, "ValidationRuns"},
		{"negative runs without validation", CompareOptions{ValidationRuns: -1, SkipValidation: true}, "ValidationRuns"},
		{"negative margin", CompareOptions{Margin: -0.01}, "Margin"},
		{"margin NaN", CompareOptions{Margin: nan}, "Margin"},
		{"infinite margin", CompareOptions{Margin: inf}, "Margin"},
		{"negative precision", CompareOptions{Precision: -0.01}, "Precision"},
		{"precision NaN", CompareOptions{Precision: nan}, "Precision"},
		{"infinite precision", CompareOptions{Precision: inf}, "Precision"},
		{"negative budget", CompareOptions{Budget: -1}, "Budget"},
		{"budget and repeats", CompareOptions{Budget: time.Second, Collect: CollectOptions{Repeats: 51}}, "Repeats excludes Budget"},
		{"budget and runs", CompareOptions{Budget: time.Second, ValidationRuns: 10}, "ValidationRuns excludes Budget"},
		{"precision and repeats", CompareOptions{Precision: 0.01, Collect: CollectOptions{Repeats: 51}}, "Repeats excludes Budget and Precision"},
		{"precision and runs", CompareOptions{Precision: 0.01, ValidationRuns: 10}, "ValidationRuns excludes Budget and Precision"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ran := 0
			a, b := counted("a", &ran), counted("b", &ran)
			_, err := Compare(a, b, tt.opt)
			refused(t, "Compare", err, tt.want, ran)
			_, err = CompareAll(context.Background(), []Candidate{a, b}, tt.opt)
			refused(t, "CompareAll", err, tt.want, ran)
		})
	}
}

func TestValidationOptionsAreCheckedFirst(t *testing.T) {
	tests := []struct {
		name string
		opt  ValidationOptions
		want string
	}{
		{"one run", ValidationOptions{Runs: 1}, "Runs is 1 and has to be at least 2"},
		{"negative runs", ValidationOptions{Runs: -1}, "Runs"},
		{"level of a half", ValidationOptions{Level: 0.5}, "Level is 0.5"},
		{"level of one", ValidationOptions{Level: 1}, "Level"},
		{"level NaN", ValidationOptions{Level: math.NaN()}, "Level"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ran := 0
			a, b := counted("a", &ran), counted("b", &ran)
			_, err := ValidateHarness(a, tt.opt)
			refused(t, "ValidateHarness", err, tt.want, ran)
			_, _, err = ValidatePair(a, b, tt.opt)
			refused(t, "ValidatePair", err, tt.want, ran)
		})
	}
}

func TestMissingBatchesAreNamed(t *testing.T) {
	ran := 0
	good, empty, nameless := counted("good", &ran), Candidate{Name: "empty"}, Candidate{}
	tests := []struct {
		name string
		call func() error
		want string
	}{
		{"Compare, A", func() error { _, err := Compare(empty, good, CompareOptions{}); return err }, `candidate A ("empty"): Batch is nil`},
		{"Compare, B", func() error { _, err := Compare(good, empty, CompareOptions{}); return err }, `candidate B ("empty"): Batch is nil`},
		{"Compare with a budget", func() error { _, err := Compare(good, nameless, CompareOptions{Budget: 1}); return err }, `candidate B: Batch is nil`},
		{"Collect", func() error { _, _, err := Collect(good, empty, CollectOptions{}); return err }, `candidate B ("empty")`},
		{"CalibrateInnerLoops", func() error { _, err := CalibrateInnerLoops(empty, CalibrationOptions{}); return err }, `candidate A ("empty")`},
		{"ValidateHarness", func() error { _, err := ValidateHarness(empty, ValidationOptions{}); return err }, `candidate A ("empty")`},
		{"ValidatePair", func() error { _, _, err := ValidatePair(good, empty, ValidationOptions{}); return err }, `candidate B ("empty")`},
		{"CompareAll", func() error {
			_, err := CompareAll(context.Background(), []Candidate{good, good, empty}, CompareOptions{})
			return err
		}, `candidate C ("empty")`},
	}
	for _, tt := range tests {
		refused(t, tt.name, tt.call(), tt.want, ran)
	}
}

func TestCompareAllNeedsTwo(t *testing.T) {
	ran := 0
	for count, want := range []string{"0 candidates", "1 candidates"} {
		_, err := CompareAll(context.Background(), make([]Candidate, count), CompareOptions{})
		refused(t, want, err, want, ran)
	}
}

// What is allowed stays allowed.
func TestOptionsThatAreFine(t *testing.T) {
	for name, opt := range map[string]CompareOptions{
		"zero":                        {},
		"a low level, not validated":  {Level: 0.5, SkipValidation: true},
		"one run that is not made":    {ValidationRuns: 1, SkipValidation: true},
		"infinite threshold":          {Thresholds: []float64{math.Inf(1), math.Inf(-1)}},
		"budget and precision":        {Budget: time.Second, Precision: 0.01},
		"budget and fixed batch size": {Budget: time.Second, Collect: CollectOptions{InnerLoops: 5}},
		"a negative MaxDuration":      {MaxDuration: -1},
	} {
		if err := opt.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	fixed := CompareOptions{}.withDefaults()
	if fixed.Level != 0.95 || fixed.ValidationRuns != 40 || fixed.Collect.Repeats != 101 || fixed.Margin != 0.01 || fixed.Resamples != 5000 || fixed.sequential() {
		t.Errorf("%+v", fixed)
	}
	tests := []struct {
		name   string
		opt    CompareOptions
		level  float64
		budget time.Duration
	}{
		{"budget", CompareOptions{Budget: time.Second}, 0.99, time.Second},
		{"precision has a minute", CompareOptions{Precision: 0.01}, 0.99, time.Minute},
		{"a level of one's own", CompareOptions{Budget: time.Second, Level: 0.9}, 0.9, time.Second},
		{"MaxDuration bounds the budget", CompareOptions{Budget: time.Minute, MaxDuration: time.Second}, 0.99, time.Second},
		{"no MaxDuration", CompareOptions{Budget: time.Minute, MaxDuration: -1}, 0.99, time.Minute},
	}
	for _, tt := range tests {
		o := tt.opt.withDefaults()
		if o.Level != tt.level || o.Budget != tt.budget || !o.sequential() {
			t.Errorf("%s: level %v, budget %v", tt.name, o.Level, o.Budget)
		}
	}
}

func TestNamesOfCandidatesAndOrders(t *testing.T) {
	for i, want := range map[int]string{0: "A", 1: "B", 25: "Z", 26: "#27"} {
		if got := position(i); got != want {
			t.Errorf("position(%d) = %q", i, got)
		}
	}
	for order, want := range map[Order]string{OrderABBA: "ABBA", OrderRandom: "Random", OrderSequential: "Sequential", 3: "Order(3)", -1: "Order(-1)"} {
		if got := order.String(); got != want {
			t.Errorf("Order(%d) is %q, want %q", int(order), got, want)
		}
	}
	for verdict, want := range map[Verdict]string{NotJudged: "not judged", AFaster: "A faster", BFaster: "B faster", Equivalent: "equivalent", Inconclusive: "inconclusive", Unmeasurable: "unmeasurable", 99: "not judged"} {
		if got := verdict.String(); got != want {
			t.Errorf("Verdict(%d) is %q, want %q", int(verdict), got, want)
		}
	}
}
