package view

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// twoSides is a comparison of two commands, or of two servers, that was judged
// once.
func twoSides(p Pair, servers bool) *Comparison {
	sides := make([]Side, 2)
	for i := range sides {
		sides[i] = Side{Letter: Letter(i), Name: "./command", Server: servers, Series: []Series{{Metric: record.Metric{Name: SeriesWall, Unit: "ns"}, Values: make([]float64, 40)}}}
	}
	return &Comparison{Sides: sides, Pairs: []Pair{p}, Ending: Ending{Method: "anytime", Reason: "clear", Seconds: 3.2}}
}

// judged is a conclusion about B against A.
func judged(metric, better string, verdict record.Verdict, logRatio float64) Pair {
	return Pair{
		Judgement: record.Judgement{
			Arm: 1, Metric: metric, Verdict: verdict, LogRatio: logRatio, Low: logRatio - 0.01, High: logRatio + 0.01,
			ErrorRate: 0.01, Margin: math.Log(1.01), Units: 10, Identical: 20, IdenticalSpread: 0.004, SmallestVisible: 0.016,
		},
		Describes: record.Metric{Name: metric, Better: better},
	}
}

func TestComparisonSentences(t *testing.T) {
	tests := []struct {
		metric, better string
		verdict        record.Verdict
		logRatio       float64
		servers        bool
		want, numbers  string
	}{
		{"wall", "lower", record.Faster, -0.1, false, "B is 9.52% faster than A", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"wall", "lower", record.Slower, 0.1, false, "A is 9.52% faster than B", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"wall", "lower", record.Faster, -1.2, false, "B is 3.32 times as fast as A", "3.320× [3.287 3.353]  99%, valid whenever stopped"},
		{"wall", "lower", record.Faster, -0.1, true, "B answers 10.5% more requests per second than A", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"wall", "lower", record.Slower, 1.2, true, "A answers 3.32 times as many requests per second as B", "3.320× [3.287 3.353]  99%, valid whenever stopped"},
		{"wall", "lower", record.Equivalent, 0.002, false, "A and B are equally fast, within 1% (equivalent)", "B / A 1.002× [0.992 1.012]  99%, valid whenever stopped"},
		{"wall", "lower", record.Inconclusive, 0.002, false, "undecided which of A and B is faster (inconclusive)", "B / A 1.002× [0.992 1.012]  99%, valid whenever stopped"},
		{"wall", "lower", record.Unmeasurable, 0.002, false, "A and B: this run cannot tell (unmeasurable)", "B / A 1.002× [0.992 1.012]  99%, valid whenever stopped"},
		{"cpu", "lower", record.Faster, -0.1, false, "B needs 9.52% less CPU time than A", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"memory", "lower", record.Slower, 2, false, "A needs 86.5% less memory than B", "7.389× [7.316 7.463]  99%, valid whenever stopped"},
		{"memory", "lower", record.Equivalent, 0, false, "A and B need the same memory, within 1% (equivalent)", "B / A 1.000× [0.990 1.010]  99%, valid whenever stopped"},
		{"p99.9", "lower", record.Faster, -0.1, true, "B has a 9.52% lower p99.9 latency than A", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"tokens", "higher", record.Slower, 0.1, false, "B has 10.5% more tokens than A", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"tokens", "higher", record.Faster, -1, false, "A has 2.72 times the tokens of B", "2.718× [2.691 2.746]  99%, valid whenever stopped"},
		{"tokens", "higher", record.Inconclusive, 0, false, "undecided which of A and B has more tokens (inconclusive)", "B / A 1.000× [0.990 1.010]  99%, valid whenever stopped"},
		{"page-faults", "", record.Slower, 0.1, false, "A has 9.52% fewer page faults than B", "1.105× [1.094 1.116]  99%, valid whenever stopped"},
		{"page-faults", "", record.Unmeasurable, 0, false, "A and B, page faults: this run cannot tell (unmeasurable)", "B / A 1.000× [0.990 1.010]  99%, valid whenever stopped"},
		{"page-faults", "", record.Equivalent, 0, false, "A and B have the same page faults, within 1% (equivalent)", "B / A 1.000× [0.990 1.010]  99%, valid whenever stopped"},
	}
	for _, tt := range tests {
		p := judged(tt.metric, tt.better, tt.verdict, tt.logRatio)
		c := twoSides(p, tt.servers)
		if got := c.Sentence(p); got != tt.want {
			t.Errorf("%s %s: got  %s\nwant %s", tt.metric, tt.verdict, got, tt.want)
		}
		if got := c.Numbers(p); got != tt.numbers {
			t.Errorf("%s %s: got  %s\nwant %s", tt.metric, tt.verdict, got, tt.numbers)
		}
	}
	small := judged("wall", "lower", record.Faster, -0.006)
	small.WithinMargin = true
	if got := twoSides(small, false).Sentence(small); got != "B is 0.598% faster than A, by less than the margin of 1%" {
		t.Error(got)
	}
}

// Exchanging the sides of a decided pair changes neither the sentence nor the
// numbers, and turning a pair round twice gives the pair.
func TestMirroredPairsTellTheSameStory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	verdicts := []record.Verdict{record.Faster, record.Slower, record.Equivalent, record.Inconclusive, record.Unmeasurable}
	for range 2000 {
		verdict := verdicts[random.IntN(len(verdicts))]
		size := math.Abs(random.NormFloat64()) * 0.7
		switch {
		case verdict == record.Faster:
			size = -size
		case verdict != record.Slower:
			size = random.NormFloat64() * 0.01
		}
		p := judged([]string{"wall", "cpu", "p99", "tokens"}[random.IntN(4)], []string{"lower", "higher", ""}[random.IntN(3)], verdict, size)
		c := twoSides(p, random.IntN(2) == 0)
		m := p.Mirrored()
		if back := m.Mirrored(); back.LogRatio != p.LogRatio || back.Low != p.Low || back.High != p.High || back.Verdict != p.Verdict || back.Arm != p.Arm {
			t.Fatalf("twice turned round: %+v, want %+v", back, p)
		}
		exchange := strings.NewReplacer("A and B", "B and A", "B and A", "A and B")
		want := c.Sentence(p)
		if !p.Decided() {
			want = exchange.Replace(want)
		}
		if got := c.Sentence(m); got != want {
			t.Fatalf("turned round: %s\nwant %s", got, want)
		}
		if p.Decided() && c.Numbers(p) != c.Numbers(m) {
			t.Fatalf("%s and %s", c.Numbers(p), c.Numbers(m))
		}
	}
}

func TestComparisonFindsPairsEitherWay(t *testing.T) {
	p := judged("wall", "lower", record.Faster, -0.1)
	c := twoSides(p, false)
	if got, ok := c.Main(1, 0); !ok || got.Verdict != record.Slower || got.LogRatio != 0.1 || got.Base != 1 || got.Arm != 0 {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := c.Pair(0, 1, "cpu"); ok {
		t.Error("a pair that was not judged was found")
	}
}

func TestHow(t *testing.T) {
	p := judged("wall", "lower", record.Faster, -0.1)
	tests := []struct {
		name   string
		change func(*Comparison)
		want   string
	}{
		{"clear", func(*Comparison) {}, "40 runs each, interleaved, 3.2 s, stopped because clear; smallest difference visible here 1.61%"},
		{"time", func(c *Comparison) { c.Ending.Reason, c.Ending.Seconds = "time", 200 }, "40 runs each, interleaved, 3 min, stopped because the time was up; smallest difference visible here 1.61%"},
		{"precise", func(c *Comparison) { c.Ending.Reason = "precise" }, "40 runs each, interleaved, 3.2 s, stopped because precise enough; smallest difference visible here 1.61%"},
		{"runs", func(c *Comparison) { c.Ending.Reason = "runs"; c.Sides = c.Sides[:1] }, "40 runs, 3.2 s, stopped after the planned number of runs; smallest difference visible here 1.61%"},
		{"failed", func(c *Comparison) { c.Ending.Reason = "failed"; c.Pairs = nil }, "40 runs each, interleaved, 3.2 s, stopped because a candidate failed"},
		{"uneven", func(c *Comparison) { c.Sides[1].Series[0].Values = nil; c.Ending = Ending{Reason: "interrupted"} },
			"0 to 40 runs each, interleaved, stopped because interrupted; smallest difference visible here 1.61%"},
		{"unknown", func(c *Comparison) {
			c.Ending = Ending{Seconds: math.NaN()}
			c.Pairs[0].SmallestVisible = math.MaxFloat64
		}, "40 runs each, interleaved"},
		{"nothing", func(c *Comparison) { *c = Comparison{} }, "no runs"},
	}
	for _, tt := range tests {
		c := twoSides(p, false)
		tt.change(c)
		if got := c.How(); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if got := twoSides(p, false).NoiseFloor(); got != "Identical candidates came out 0.401% apart here, typically (noise floor)." {
		t.Error(got)
	}
}

func TestNeeded(t *testing.T) {
	tests := []struct {
		verdict      record.Verdict
		metric       string
		units, needs int
		seconds      float64
		want         string
	}{
		{record.Inconclusive, "wall", 10, 40, 3, "about 160 runs each would probably decide: --time 12s"},
		{record.Inconclusive, "wall", 10, 4000, 3, "about 16000 runs each would probably decide: --time 20m"},
		{record.Inconclusive, "wall", 10, 9000, 30, "about 36000 runs each would probably decide: --time 8h"},
		{record.Inconclusive, "wall", 10, 40, 0, "about 160 runs each would probably decide"},
		{record.Inconclusive, "wall", 10, 100000, 3, "more than 1000 times as many runs would be needed to decide"},
		{record.Inconclusive, "wall", 10, 0, 3, ""},
		{record.Inconclusive, "wall", 0, 5, 3, ""},
		{record.Inconclusive, "cpu", 10, 40, 3, ""},
		{record.Faster, "wall", 10, 40, 3, ""},
	}
	for _, tt := range tests {
		p := judged(tt.metric, "lower", tt.verdict, -0.1)
		p.Units, p.UnitsNeeded = tt.units, tt.needs
		c := twoSides(p, false)
		c.Ending.Seconds = tt.seconds
		if got := c.Needed(p); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
}

func TestGroupSides(t *testing.T) {
	apart := func(pairs ...[2]int) func(a, b int) (bool, bool) {
		return func(a, b int) (bool, bool) { return slices.Contains(pairs, [2]int{a, b}), true }
	}
	tests := []struct {
		name  string
		order []int
		apart func(a, b int) (bool, bool)
		want  [][]int
	}{
		{"all alike", []int{2, 0, 1}, apart(), [][]int{{2, 0, 1}}},
		{"all apart", []int{0, 1, 2}, apart([2]int{0, 1}, [2]int{0, 2}, [2]int{1, 2}), [][]int{{0}, {1}, {2}}},
		{"one in two groups", []int{0, 1, 2}, apart([2]int{0, 2}), [][]int{{0, 1}, {1, 2}}},
		{"two and one", []int{0, 1, 2}, apart([2]int{0, 2}, [2]int{1, 2}), [][]int{{0, 1}, {2}}},
		{"not all judged", []int{0, 1, 2}, func(a, b int) (bool, bool) { return true, a == 0 }, nil},
		{"nothing", nil, apart(), nil},
	}
	for _, tt := range tests {
		got := GroupSides(tt.order, tt.apart)
		if !slices.EqualFunc(got, tt.want, slices.Equal[[]int]) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	c := Comparison{Groups: [][]int{{1, 0}, {0, 2}}}
	if got := c.GroupText(); got != "B = A, then A = C" {
		t.Error(got)
	}
}

func TestLetter(t *testing.T) {
	for i, want := range map[int]string{0: "A", 1: "B", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA", -1: "?"} {
		if got := Letter(i); got != want {
			t.Errorf("Letter(%d) = %q, want %q", i, got, want)
		}
	}
}

func TestComparisonValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	memory := record.Metric{Name: "memory", Unit: "B"}
	tests := []struct{ got, want string }{
		{AnyUnit.Time(881.53), "882 ns"}, {AnyUnit.Time(12345), "12.3 µs"}, {AnyUnit.Time(6.81e6), "6.81 ms"}, {AnyUnit.Time(1.5e9), "1.50 s"},
		{AnyUnit.Time(nan), "unknown"}, {Second.Time(6.81e6), "0.00681 s"}, {Microsecond.Time(6.81e6), "6810 µs"}, {Millisecond.Time(0), "0 ms"},
		{Second.Number(1.2346e9), "1.235"}, {Millisecond.Number(11.04e6), "11.0"}, {Microsecond.Number(950), "0.9"}, {Second.Number(inf), "unknown"},
		{string(UnitFor(999_999)), "microsecond"}, {string(UnitFor(1e6)), "millisecond"}, {string(UnitFor(1e9)), "second"},
		{Amount(512), "512 B"}, {Amount(4.2 * (1 << 20)), "4.20 MiB"}, {Amount(3 << 30), "3.00 GiB"}, {Amount(2048), "2.00 KiB"}, {Amount(nan), "unknown"},
		{Value(memory, 1<<20, Second), "1.00 MiB"}, {Value(record.Metric{Unit: "ns"}, 1e6, Second), "0.00100 s"},
		{Value(record.Metric{Unit: "tokens/s"}, 41.2345, AnyUnit), "41.23 tokens/s"}, {Value(record.Metric{}, 3, AnyUnit), "3"}, {Value(record.Metric{}, nan, AnyUnit), "unknown"},
		{Rate(8015.2), "8015/s"}, {Rate(12345), "12.3k/s"}, {Rate(2.5e6), "2.50M/s"}, {Rate(0.5), "0.500/s"}, {Rate(inf), "unknown"},
		{Times(1.112, 1.094, 1.131), "1.112× [1.094 1.131]"}, {Times(1.00042, 1.0003, 1.0005), "1.00042× [1.00030 1.00050]"},
		{Times(12.3456, 11, 14), "12.35× [11.00 14.00]"}, {Times(2, nan, nan), "2.000×"}, {Times(nan, 1, 2), "unknown"}, {Times(123456, 1e5, 2e5), "123456× [100000 200000]"},
	}
	for i, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%d: %q, want %q", i, tt.got, tt.want)
		}
	}
}

// Every warning about runs is one sentence with all its numbers.
func TestEveryRunWarningIsASentence(t *testing.T) {
	values := map[string]float64{"first_ns": 27e6, "median_ns": 6.8e6, "count": 1, "shell_ns": 4e5, "share": 0.97, "failed": 3, "requests": 1000,
		"factor": 2.2, "half_width": 0.3, "effect": -0.02, "shift": 0.03, "seconds": 12, "bias": -0.01, "wall": 0.9, "cpu": 1.4}
	codes := append(codesOf(t, "comparison_warnings.go"), "few-units", "runs-differ", "tied", "not-finite", "noise", "position", "harness-bias", CodeMixed, CodeDrift, CodeRatioDrift, CodeBudgetSpent)
	if len(codes) < 20 {
		t.Fatalf("only %d codes", len(codes))
	}
	c := twoSides(judged("wall", "lower", record.Faster, -0.1), false)
	unfilled := regexp.MustCompile(`%!|NaN|Inf|Budget|Warmup`)
	var text strings.Builder
	for _, code := range codes {
		sentence := c.WarningText(record.Warning{Code: code, Arm: 1, Values: values})
		if sentence == code || len(sentence) < 30 || unfilled.MatchString(sentence) || strings.HasSuffix(sentence, ".") {
			t.Errorf("%s: %q", code, sentence)
		}
		text.WriteString(code + ": " + sentence + "\n")
	}
	golden(t, "warnings-runs", strings.TrimSuffix(text.String(), "\n"))
	if got := c.WarningText(record.Warning{Code: "from the future", Arm: 9}); got != "from the future" {
		t.Error(got)
	}
}
