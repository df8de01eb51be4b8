package pooling

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

func setup(trials, parallel int) simulation.Setup {
	return simulation.Setup{Plan: trial.Plan{Seed: 5, Parallel: parallel}, Trials: trials}
}

// all runs every simulation.
func all(t *testing.T, s simulation.Setup) []*sheet.Sheet {
	t.Helper()
	tables, err := Pooled(s)
	if err != nil {
		t.Fatal(err)
	}
	staged, err := Staged(s)
	if err != nil {
		t.Fatal(err)
	}
	return append(tables, staged, Frontier(s))
}

func TestSimulationsDoNotDependOnGoroutines(t *testing.T) {
	if a, b := all(t, setup(20, 1)), all(t, setup(20, 3)); !reflect.DeepEqual(a, b) {
		t.Error("the tables differ")
	}
}

func TestSimulationsMeetTheirBars(t *testing.T) {
	for _, table := range all(t, setup(400, 2)) {
		for _, b := range table.Bars {
			if b.Failed() {
				t.Errorf("%s: %v", b.Name, b.Measured)
			}
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s: %d cells for %d columns", table.Title, len(row), len(table.Columns))
			}
		}
	}
}

func TestContrast(t *testing.T) {
	values, errors := []float64{1, 2, 6}, []float64{1, 1, 1}
	if e := fixedEffect(values, errors); math.Abs(e.mean-3) > 1e-12 || math.Abs(e.standardError-math.Sqrt(1.0/3)) > 1e-12 {
		t.Errorf("fixed effect %+v", e)
	}
	// Q is 14 of 2 expected, so the variance between is (14 - 2) / (3 - 1).
	if e := randomEffects(values, errors); math.Abs(e.mean-3) > 1e-12 || math.Abs(e.standardError-math.Sqrt(7.0/3)) > 1e-12 {
		t.Errorf("random effects %+v", e)
	}
}

// TestMirrorSeesWhatDoesNotMirror keeps the check of symmetry honest.
func TestMirrorSeesWhatDoesNotMirror(t *testing.T) {
	var reports []rtcompare.Report
	r := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		reports = append(reports, reported(0.1+0.01*r.NormFloat64(), 0.01))
	}
	p, err := pool(reports, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(p, p); !math.IsInf(d, 1) {
		t.Errorf("a verdict is its own mirror image at a distance of %v", d)
	}
}

func TestStructuresAreTheSame(t *testing.T) {
	a, b := build(1000, 3), build(1000, 3)
	if len(a.byKey) != 1000 || !reflect.DeepEqual(a.probes, b.probes) {
		t.Fatal("the keys differ")
	}
	for key, n := range a.byKey {
		if m := b.byKey[key]; m == nil || m == n || m.left.right.value != n.left.right.value {
			t.Fatalf("key %d", key)
		}
	}
	a.candidate("A").Batch(10000)
}

// TestSharedValidation runs both parts of the experiment on a small scale: the
// simulation, and one real run, which checks how many runs it made.
func TestSharedValidation(t *testing.T) {
	table, err := sharedCoverage(setup(40, 2))
	if err != nil || len(table.Rows) != 4 {
		t.Fatalf("%v, %+v", err, table)
	}
	for _, b := range table.Bars {
		if b.Failed() {
			t.Errorf("%s: %v", b.Name, b.Measured)
		}
	}
	if testing.Short() {
		t.Skip("a real run takes some seconds")
	}
	if _, err := (SharedSetup{Context: t.Context(), Rounds: 1}).time(false, 0); err != nil {
		t.Error(err)
	}
}
