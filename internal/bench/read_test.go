package bench

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// benchRecord is a run of two rows on so many layouts, of which the new version
// of the first takes exp(shift) times as long.
func benchRecord(layouts int, shift float64) record.Record {
	r := record.Record{Head: record.Head{Kind: Kind, Arms: []record.Arm{{Name: "main"}, {Name: "working tree"}}}}
	for index := range layouts {
		for row, name := range []string{"a/b.BenchmarkX/size=1", "a/b.BenchmarkY"} {
			jitter := 0.004 * math.Sin(float64(5*index+row))
			unit := record.Unit{Row: name, Purpose: record.Main, Stage: judgeStage, Index: index, Order: "fb"}
			for arm := range 2 {
				wall := 1e6 * math.Exp(jitter*float64(arm))
				if row == 0 {
					wall *= math.Exp(shift * float64(arm))
				}
				unit.Cells = append(unit.Cells, record.Cell{Arm: arm, N: 1000, Wall: []int64{int64(wall), int64(wall)}, Bytes: []int64{64000, 64000}, Allocs: []int64{1000, 1000}})
			}
			r.Units = append(r.Units, unit)
		}
	}
	return r
}

func TestReadJudgesAgain(t *testing.T) {
	result, err := Read(benchRecord(12, 0.1))
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Rows) != 2 || result.Plan.Layouts != 12 {
		t.Fatalf("%d rows on %d layouts", len(result.Rows), result.Plan.Layouts)
	}
	x, y := result.Rows[0], result.Rows[1]
	if x.Name != "BenchmarkX/size=1" || x.Package.ImportPath != "a/b" || x.Judgement.Verdict != record.Slower {
		t.Errorf("%s of %s: %s", x.Name, x.Package.ImportPath, x.Judgement.Verdict)
	}
	if y.Judgement.Verdict != record.Equivalent {
		t.Errorf("%s: %s", y.Name, y.Judgement.Verdict)
	}
	// Two rows share the error rate; the second has it to itself once the first
	// is decided.
	if x.Judgement.ErrorRate != DefaultErrorRate/2 || y.Judgement.ErrorRate != DefaultErrorRate {
		t.Errorf("error rates %v and %v", x.Judgement.ErrorRate, y.Judgement.ErrorRate)
	}
	if x.Bytes != [2]float64{64, 64} || x.Allocs != [2]float64{1, 1} || math.Abs(x.NsPerOp[0]-1000) > 5 {
		t.Errorf("bytes %v, allocations %v, time %v", x.Bytes, x.Allocs, x.NsPerOp)
	}
}

func TestReadRefusesOtherRecords(t *testing.T) {
	if _, err := Read(record.Record{Head: record.Head{Kind: "commands"}}); err == nil {
		t.Error("a run of commands was read")
	}
	result, err := Read(benchRecord(0, 0))
	if err != nil || len(result.Rows) != 0 {
		t.Errorf("an empty run: %v", err)
	}
}
