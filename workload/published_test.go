package workload_test

import (
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
	"github.com/rtcompare/rtcompare/workload"
)

// The published package, name by name: this file stops compiling where a
// program written for it would.
var (
	_ func(int, workload.Config) ([]workload.Op, error)                          = workload.Build
	_ func(int, workload.Config) ([]workload.Op, error)                          = workload.Cycle
	_ func([]workload.Op, []uint32, []uint32) error                              = workload.Check
	_ func(workload.Config, uint32) uint64                                       = workload.Config.Key
	_ func(workload.Kind) string                                                 = workload.Kind.String
	_ func(workload.KeyOrder) string                                             = workload.KeyOrder.String
	_ func(workload.Policy) string                                               = workload.Policy.String
	_ func(*workload.Cursor) int                                                 = (*workload.Cursor).Position
	_ func(*workload.Cursor, []workload.Op, func([]workload.Op)) rtcompare.Batch = (*workload.Cursor).Batch
	_ func(*workload.Cursor, []workload.Op, uint64, func([]workload.Op))         = (*workload.Cursor).Advance
	_ func(*workload.Cursor, []workload.Op, func([]workload.Op))                 = (*workload.Cursor).Settle
	_ func([]workload.Op, func([]workload.Op)) *workload.Replay                  = workload.NewReplay
	_ func(*workload.Replay)                                                     = (*workload.Replay).Prime
	_ func(*workload.Replay, string) rtcompare.Candidate                         = (*workload.Replay).Candidate
	_ func(*workload.Replay)                                                     = (*workload.Replay).Settle
	_ func(workload.Result) string                                               = workload.Result.String

	_ func(int, workload.Structure[int], workload.Structure[string], workload.Options) (workload.Result, error)               = workload.Compare[int, string]
	_ func(string, int, workload.Structure[int], workload.Structure[string], workload.Options) func(*multiproc.Process) error = workload.Suite[int, string]
)

func TestPublishedConstants(t *testing.T) {
	const ratio float64 = workload.DefaultRatio
	const counts int = workload.DefaultMaxBurst + workload.BuildRepeats + workload.BuildValidationRuns
	if ratio != 2 || counts != 16+31+10 || workload.SteadyStateSuffix != "/steady state" || workload.BuildSuffix != "/build" {
		t.Error("a constant has another value")
	}
	if workload.Insert != 0 || workload.Delete != 1 || workload.Lookup != 2 || workload.LookupMiss != 3 {
		t.Error("a kind has another number")
	}
	if workload.Scattered != 0 || workload.Sequential != 1 || workload.Uniform != 0 || workload.FIFO != 1 || workload.LIFO != 2 {
		t.Error("an order or a policy has another number")
	}
}

func TestPublishedFields(t *testing.T) {
	op := workload.Op{Key: uint64(1), ID: uint32(2), Kind: workload.Lookup}
	config := workload.Config{
		Seed: uint64(1), Ratio: float64(2), MaxBurst: int(3), LiveTarget: int(4), Victims: workload.FIFO, Keys: workload.Sequential,
		PermanentChurn: float64(0.5), Lookups: float64(0.5), MissRate: float64(0.5),
	}
	opt := workload.Options{Config: config, SteadyState: rtcompare.CompareOptions{}, Build: rtcompare.CompareOptions{}, SkipBuild: true}
	s := workload.Structure[int]{Name: "s", New: func() int { return 0 }, Apply: func(s int, run []workload.Op) {}}
	result := workload.Result{Target: int(1), CycleOps: int(2), BuildOps: int(3), SteadyState: rtcompare.Report{}, Build: rtcompare.Report{}}
	if config.Key(op.ID) != 2 || opt.Config != config || s.Name != "s" || result.String() == "" {
		t.Error("a field does not hold what was put in")
	}
}
