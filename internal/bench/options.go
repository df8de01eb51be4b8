// Package bench compares the benchmarks of two versions of Go code: it makes the
// versions, builds them in many code layouts, screens all benchmarks briefly and
// judges those that stand out on fresh layouts.
//
// It puts rooms together and has no measuring loop and no judge of its own.
package bench

import (
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/source"
)

// Options say what is compared and how.
type Options struct {
	// Base and New name the versions; Dir is where the user is.
	Base, New source.Spec
	Dir       string
	// Go is the go command, Env the environment for it and for the benchmarks.
	Go  string
	Env []string
	// Cache is the directory for sources and binaries.
	Cache string
	// Packages are patterns such as ./...; Pattern selects benchmarks as -bench
	// does.
	Packages []string
	Pattern  string
	// BuildFlags go to the compiler, BinaryFlags to the test binaries.
	BuildFlags, BinaryFlags []string
	// Prepare makes generated files in a copied version.
	Prepare string
	// Toolchain is the value for GOTOOLCHAIN, empty for the user's own.
	Toolchain string
	// Processors is GOMAXPROCS of the benchmarks.
	Processors int
	// Layouts is the number of layouts that a row is judged on, and
	// ScreenLayouts that of the screening. Judged is the largest number of rows
	// that are judged; All judges every row.
	Layouts, ScreenLayouts, Judged int
	All                            bool
	// Slowest judges the rows that look slowest, not those farthest from zero.
	Slowest bool
	// Time bounds the measuring.
	Time time.Duration
	// ErrorRate is that of the whole run, Margin the largest ratio that does not
	// matter.
	ErrorRate, Margin float64
	// Batch is how long a batch lasts.
	Batch time.Duration
	// BenchTime is -benchtime for benchmarks that get a process per sample.
	BenchTime string
	// Unchanged measures also where nothing has changed.
	Unchanged bool
	Seed      uint64
}

// The defaults.
const (
	DefaultLayouts       = 12
	DefaultScreenLayouts = 2
	DefaultJudged        = 10
	DefaultTime          = time.Minute
	DefaultErrorRate     = 0.05
	DefaultMargin        = 0.03
	DefaultBatch         = 500 * time.Microsecond
)

// Environment is what a run needs of the outside world besides files and
// processes.
type Environment struct {
	// Now is the engine's own clock.
	Now engine.Clock
	// Keep gets every unit at once; nil keeps none.
	Keep func(record.Unit) error
	// Watch is told what is being done.
	Watch func(Progress)
}

// Progress is the state of a run.
type Progress struct {
	// Stage is one of the Stage constants, Done and Total count its steps, and
	// What names the present one.
	Stage       string
	Done, Total int
	What        string
}

// The stages of a run, in order.
const (
	StageSources  = "sources"
	StageBuilding = "building"
	StageProbing  = "probing"
	StageScreen   = "screening"
	StageJudging  = "judging"
)

// Row is one benchmark of both versions.
type Row struct {
	Package gobuild.Package
	// Name is the full name without the number of processors.
	Name string
	// Driver is how it is run; Reason says why not batch by batch.
	Driver gobuild.Driver
	Reason string
	// Screened is the log ratio of the screening; NaN without one.
	Screened float64
	// Judgement is nil for rows that were screened only.
	Judgement *record.Judgement
	// NsPerOp are the times of an operation of base and new: the medians over
	// layouts.
	NsPerOp [2]float64
	// Bytes and Allocs are per operation, from unrounded totals; -1 unknown.
	Bytes, Allocs [2]float64
	// Collections is set where the time holds the collector's share.
	Collections bool
	// Leaked are the goroutines left running; -1 unknown.
	Leaked [2]int
	// Failed is why the row has no answer.
	Failed error
	// LeftOut is set where the time did not suffice for it.
	LeftOut bool
	// Layouts is how many layouts it was judged on.
	Layouts int
}

// Key identifies a row in the record.
func (r *Row) Key() string { return r.Package.ImportPath + "." + r.Name }

// Missing is a benchmark that only one version has, or that does not run there.
type Missing struct {
	Package, Name string
	// Side is 0 where only the base has or fails it, 1 for the new version.
	Side int
	// Reason is empty where the other side simply does not have it.
	Reason  string
	Skipped bool
}

// Result is a whole run.
type Result struct {
	Versions [2]source.Version
	// Toolchain is the one that built both.
	Toolchain gobuild.Toolchain
	// Driver is how most benchmarks were run, and Reason why not batch by batch.
	Driver gobuild.Driver
	Reason string
	Rows   []*Row
	// Benchmarks is how many both versions have, those in unchanged packages
	// too.
	Benchmarks int
	// Unchanged are packages whose machine code, files and environment are
	// equal on both sides.
	Unchanged []string
	Missing   []Missing
	// BuildFailures are packages that could not be built at a version.
	BuildFailures []error
	// Differences are what the two binaries say differently about their making.
	Differences []string
	// Sizes are the sizes of the machine code per package, base and new.
	Sizes map[string][2]int64
	// Built, Screened and Judged are the times of the parts.
	Built, Screened, Judged time.Duration
	// Plan is what was planned before measuring.
	Plan Plan
	// Suite is the mean log ratio over rows with its interval.
	SuiteRatio, SuiteLow, SuiteHigh float64
	// SourcesChanged is set where the working tree changed during the run.
	SourcesChanged bool
	Units          []record.Unit
}

// Plan is rows × layouts × time, fixed before measuring.
type Plan struct {
	Rows, ScreenLayouts, Judged, Layouts int
	// ScreenTime and JudgeTime are for one row on one layout, the start of its
	// processes included.
	ScreenTime, JudgeTime time.Duration
	// LeftOut are the rows that the time does not suffice for.
	LeftOut int
}
