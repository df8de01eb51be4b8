// Package record is the data model of a run and its file format.
//
// A record is a text file of JSON lines. The first line is a [Head], then one
// line per [Unit] in the order they were measured, and at the end a
// [Judgement] per judged pair. Raw values stay in measured order and are never
// rewritten: the file is the journal of the run, appended unit by unit. A torn
// last line, left by a killed process, is dropped with a warning.
//
// The package imports nothing of this project, so that every other part can
// speak in its types.
package record

import "time"

// Schema is the version of the file format, found in every head. Readers
// accept every older version.
const Schema = "rtcompare/1"

// Purpose says what a unit is for.
type Purpose string

const (
	// Main units carry the comparison itself. Where they hold two replicas of
	// an arm they also carry its comparison with itself.
	Main Purpose = "main"
	// AA units compare each arm with itself only.
	AA Purpose = "A/A"
	// Pilot units decide the length of the lead-in.
	Pilot Purpose = "pilot"
	// Cost units are long stretches of one arm at a time, with the garbage
	// collections its allocations cause.
	Cost Purpose = "cost"
	// Count units hold allocations counted over whole batches; their times are
	// not used.
	Count Purpose = "count"
)

// Head is the first line of a record: what was planned, with what, where.
type Head struct {
	Schema  string         `json:"schema"`
	Tool    string         `json:"tool"`
	Kind    string         `json:"kind"` // functions, commands, servers, benchmarks
	Started time.Time      `json:"started"`
	Seed    uint64         `json:"seed,omitempty"`
	Plan    map[string]any `json:"plan,omitempty"`
	Host    any            `json:"host,omitempty"`
	Arms    []Arm          `json:"arms"`
	// Metrics describes the series of the cells beyond wall and processor
	// time.
	Metrics []Metric `json:"metrics,omitempty"`
}

// Metric describes one series that cells hold in Extra.
type Metric struct {
	Name string `json:"name"`
	// Unit is "ns", "B" or whatever the values are in; empty for plain counts.
	Unit string `json:"unit,omitempty"`
	// Better is "lower" or "higher"; empty means that nobody said which
	// direction is good, so that a change is shown but not judged.
	Better string `json:"better,omitempty"`
	// PerUnit is set where a cell holds one value for the whole unit instead of
	// one for each of its wall times.
	PerUnit bool `json:"per_unit,omitempty"`
	// UpperBound is set where the true value may lie below what was read.
	UpperBound bool `json:"upper_bound,omitempty"`
}

// Arm describes one side of a comparison. The first arm is the base.
type Arm struct {
	Name  string `json:"name"`
	Build *Build `json:"build,omitempty"`
	// Command is the command line or the address behind the arm.
	Command string `json:"command,omitempty"`
	// Parameters are the values that were put into it.
	Parameters []Parameter `json:"parameters,omitempty"`
}

// Parameter is a name in a command line and what was put in its place.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Build identifies the program that an arm ran in.
type Build struct {
	Path      string `json:"path,omitempty"`
	Revision  string `json:"revision,omitempty"`
	Toolchain string `json:"toolchain,omitempty"`
	Flags     string `json:"flags,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Layout    uint64 `json:"layout,omitempty"`
}

// Unit is the smallest stretch of a run that is treated as exchangeable with
// others of its kind: a fixed span of time, or one fresh process, layout or
// machine.
type Unit struct {
	Row     string  `json:"row,omitempty"`
	Purpose Purpose `json:"purpose"`
	Stage   int     `json:"stage,omitempty"`
	Index   int     `json:"index"`
	// Order says for each round in which direction its cells were measured:
	// 'f' from the first cell to the last, 'b' from the last to the first. It
	// is empty where that is not known.
	Order string `json:"order,omitempty"`
	Cells []Cell `json:"cells"`
}

// Cell is one arm's series within a unit. Values with the same index in two
// cells of the same replica were measured next to each other: they are a pair.
type Cell struct {
	Arm     int    `json:"arm"`
	Replica int    `json:"replica,omitempty"`
	Build   int    `json:"build,omitempty"`
	Layout  int    `json:"layout,omitempty"`
	Process int    `json:"process,omitempty"`
	Machine string `json:"machine,omitempty"`
	Attempt int    `json:"attempt,omitempty"`
	// N is the number of operations in one value.
	N int64 `json:"n"`
	// Lead is the number of untimed operations run by the same arm before each
	// value.
	Lead int64 `json:"lead,omitempty"`
	// Wall holds the measured times in nanoseconds, in measured order.
	Wall []int64 `json:"wall"`
	// CPU holds processor time in nanoseconds, Bytes and Allocs what was
	// allocated, Collections how many garbage collections ran. Each is empty
	// where it was not read, and else as long as Wall.
	CPU         []int64 `json:"cpu,omitempty"`
	Bytes       []int64 `json:"bytes,omitempty"`
	Allocs      []int64 `json:"allocs,omitempty"`
	Collections []int64 `json:"collections,omitempty"`
	// Extra holds further series by the name of their metric: one value for
	// each in Wall, or one for the whole cell. A value that could not be read
	// is null, which reads as NaN.
	Extra map[string]Values `json:"extra,omitempty"`
	// Counts holds totals of the whole cell, such as how often a server gave a
	// status.
	Counts map[string]int64 `json:"counts,omitempty"`
	// Latency is a histogram of the latencies of all operations of the cell, in
	// nanoseconds, in the compressed text form of HdrHistogram.
	Latency string `json:"latency,omitempty"`
	// Preempted counts the values during which the operating system took the
	// processor away. -1 means that it could not be read.
	Preempted int `json:"preempted"`
}

// Find returns the unit's cell of the given arm and replica, or nil.
func (u *Unit) Find(arm, replica int) *Cell {
	for i := range u.Cells {
		if u.Cells[i].Arm == arm && u.Cells[i].Replica == replica {
			return &u.Cells[i]
		}
	}
	return nil
}

// Select returns the units of one purpose, in order.
func Select(units []Unit, purpose Purpose) []Unit {
	var selected []Unit
	for _, u := range units {
		if u.Purpose == purpose {
			selected = append(selected, u)
		}
	}
	return selected
}

// End closes a record: why the run ended, and what disturbed it.
type End struct {
	// Stopped is "clear" where the answer was, "precise", "time", "runs",
	// "interrupted" or "failed".
	Stopped string `json:"stopped"`
	// Seconds is how long the run took, warm-up and all.
	Seconds float64 `json:"seconds"`
	// Warnings belong to the whole run, not to one judgement.
	Warnings []Warning `json:"warnings,omitempty"`
	// Machine is what the machine did meanwhile that may have disturbed it.
	Machine []Finding `json:"machine,omitempty"`
}

// Finding is one thing about the machine.
type Finding struct {
	Code  string  `json:"code"`
	Text  string  `json:"text"`
	Value float64 `json:"value"`
}
