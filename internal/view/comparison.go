package view

import (
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Comparison is everything that the texts, tables and figures about a run of
// commands or servers say. Its zero value is a run of nothing.
type Comparison struct {
	// Name is what the run is called; it may be empty.
	Name string
	// Tool and Started say which program measured, and when.
	Tool    string
	Started time.Time
	Sides   []Side
	// Pairs are the judged pairs, in the order of the record. A pair that was
	// judged on several metrics appears once for each.
	Pairs []Pair
	// Metric is the one that carries the verdict; empty means elapsed time.
	Metric string
	// Reference is the side that all others are set against. ReferenceNamed is
	// set where someone chose it.
	Reference      int
	ReferenceNamed bool
	// Groups hold sides that cannot be told apart, fastest group first. A side
	// can stand in two groups. It is empty unless every pair was judged.
	Groups [][]int
	Ending Ending
	// Plan and Host are the record's.
	Plan map[string]any
	Host map[string]any
	// Warnings are those of the run and those of its judgements, each once.
	Warnings []record.Warning
}

// Side is one command or server.
type Side struct {
	// Letter is A for the first, B for the second, AA after Z.
	Letter, Name, Command string
	Parameters            []record.Parameter
	// Server is set for a server, whose runs are many requests each.
	Server bool
	// Requests is how many requests a server answered in all.
	Requests int64
	// Series are all that was read at every run, or once for each unit. The
	// first is the elapsed time of a run; see [Side.Cost].
	Series []Series
	// Counts are totals of the whole run, such as how often a status came.
	Counts []Total
	// Latency are the quantiles of all requests of the run, in nanoseconds.
	Latency []Quantile
}

// Total is how often something happened.
type Total struct {
	Name  string
	Times int64
}

// Quantile is a value that the share At of all values does not exceed.
type Quantile struct{ At, Value float64 }

// The names of series that the words know.
const (
	SeriesWall       = "wall"
	SeriesCPU        = "cpu"
	SeriesUser       = "user"
	SeriesSystem     = "system"
	SeriesMemory     = "memory"
	SeriesExitCode   = "exit-code"
	SeriesShell      = "shell"
	SeriesRunDelay   = "run-delay"
	SeriesClientCPU  = "client-cpu"
	SeriesClientBusy = "client-busy"
	SeriesFailed     = "failed"
	SeriesReceived   = "received"
	SeriesRequest    = "time-per-request"
	SeriesRate       = "requests-per-second"
	SeriesRequestCPU = "cpu-per-request"
	SeriesClientCost = "client-cpu-per-request"
)

// Series is one metric of one side, in measured order.
type Series struct {
	record.Metric
	// Values holds NaN where a value could not be read.
	Values []float64
	// Positions are the places of the values among all runs of all sides,
	// counted from 0. It is nil for metrics that are read once for each unit.
	Positions []int
	Statistics
}

// Statistics are numbers about the known values of a series; they are NaN where
// there are too few.
type Statistics struct {
	// Known is the number of values that could be read.
	Known                   int
	Mean, SD, Median        float64
	MedianLow, MedianHigh   float64 // 95 % interval of the median
	Min, P10, P25           float64
	P75, P90, P95, P99, Max float64
	// Neighbours is how far apart two successive values typically lie: the
	// median size of their log ratio.
	Neighbours float64
}

// Pair is what was concluded about two sides on one metric.
type Pair struct {
	record.Judgement
	// Metric describes what was judged, so that it can be worded.
	Describes record.Metric
}

// Ending is how the run went and why it stopped.
type Ending struct {
	// Method is "anytime", "fixed" or "jzs", Reason one of the words of
	// [record.End]. Both are empty where that is not known.
	Method, Reason string
	// Seconds is how long the run took; 0 or NaN means that nobody said.
	Seconds float64
	// Machine is what may have disturbed the run.
	Machine []record.Finding
	// Torn is set when the record ends in the middle of a line.
	Torn bool
}

// Find returns the series of that name, or nil.
func (s *Side) Find(name string) *Series {
	for i := range s.Series {
		if s.Series[i].Name == name {
			return &s.Series[i]
		}
	}
	return nil
}

// Cost returns the series that says how fast a side is: the time of a run, or a
// server's time per request. It is nil where nothing was measured.
func (s *Side) Cost() *Series {
	if s.Server {
		return s.Find(SeriesRequest)
	}
	return s.Find(SeriesWall)
}

// Runs is the number of measured runs.
func (s *Side) Runs() int {
	if wall := s.Find(SeriesWall); wall != nil {
		return len(wall.Values)
	}
	return 0
}

// Label is the side's letter and name.
func (s *Side) Label() string { return s.Letter + " " + s.Name }

// Main returns the judgement of two sides on the metric that carries the
// verdict. ok is false where they were not judged on it.
func (c *Comparison) Main(base, arm int) (p Pair, ok bool) {
	return c.Pair(base, arm, c.MainMetric())
}

// MainMetric is the name of the metric that carries the verdict.
func (c *Comparison) MainMetric() string {
	if c.Metric == "" {
		return SeriesWall
	}
	return c.Metric
}

// IsMain reports whether a pair was judged on the metric that carries the
// verdict.
func (c *Comparison) IsMain(p Pair) bool { return p.Judgement.Metric == c.MainMetric() }

// Pair returns the judgement of two sides on a metric, turned round where it
// was made the other way.
func (c *Comparison) Pair(base, arm int, metric string) (p Pair, ok bool) {
	for _, p := range c.Pairs {
		switch {
		case p.Judgement.Metric != metric:
		case p.Base == base && p.Arm == arm:
			return p, true
		case p.Base == arm && p.Arm == base:
			return p.Mirrored(), true
		}
	}
	return Pair{}, false
}

// Mirrored is the same conclusion with the two sides exchanged.
func (p Pair) Mirrored() Pair {
	p.Base, p.Arm = p.Arm, p.Base
	p.LogRatio, p.Low, p.High = -p.LogRatio, -p.High, -p.Low
	p.EquivalenceLow, p.EquivalenceHigh = -p.EquivalenceHigh, -p.EquivalenceLow
	switch p.Verdict {
	case record.Faster:
		p.Verdict = record.Slower
	case record.Slower:
		p.Verdict = record.Faster
	}
	return p
}

// Comparable reports whether both sides of a pair have true values of what was
// judged, and not upper bounds, whose ratio says nothing.
func (c *Comparison) Comparable(p Pair) bool {
	for _, side := range []int{p.Base, p.Arm} {
		if side < 0 || side >= len(c.Sides) {
			continue
		}
		if s := c.Sides[side].Find(p.Judgement.Metric); s != nil && s.UpperBound {
			return false
		}
	}
	return true
}

// Bounded reports whether the judgement sets any bounds. A record cannot hold
// infinite ones and writes the largest number instead.
func (p Pair) Bounded() bool {
	const beyond = 700 // exp of it is near the largest number
	return math.Abs(p.Low) < beyond && math.Abs(p.High) < beyond && math.Abs(p.LogRatio) < beyond
}

// Letter names the side at an index: A to Z, then AA, AB and so on.
func Letter(index int) string {
	if index < 0 {
		return "?"
	}
	var letters []byte
	for index++; index > 0; index = (index - 1) / 26 {
		letters = append([]byte{byte('A' + (index-1)%26)}, letters...)
	}
	return string(letters)
}
