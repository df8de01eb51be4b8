package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// TestStoppingCommand: the tables are the same for any number of goroutines,
// and every row has a value for every column.
func TestStoppingCommand(t *testing.T) {
	args := []string{"stopping", "-trials", "3", "-rounds", "200", "-noise", "iid,ar0.46", "-json"}
	alone, together := output(t, append(args, "-parallel", "1")...), output(t, append(args, "-parallel", "3")...)
	if alone != together {
		t.Error("the tables depend on the number of goroutines")
	}
	tables := strings.Split(strings.TrimSpace(alone), "\n")
	if len(tables) != 3 {
		t.Fatalf("%d tables", len(tables))
	}
	for _, text := range tables {
		var table struct {
			Title string
			Rows  []map[string]any
		}
		if err := json.Unmarshal([]byte(text), &table); err != nil || table.Title == "" || len(table.Rows) < 2 {
			t.Errorf("%v in %s", err, text)
		}
	}
	quick := output(t, "stopping", "-quick", "-trials", "2", "-rounds", "100", "-noise", "wander")
	for _, want := range []string{"jzs", "ladder", "wrong direction", "go run ./cmd/rtcompare-lab stopping"} {
		if !strings.Contains(quick, want) {
			t.Errorf("the quick tables lack %q:\n%s", want, quick)
		}
	}
	var out, problems bytes.Buffer
	if err := run([]string{"stopping", "-rounds", "99"}, &out, &problems); err == nil {
		t.Error("99 rounds are accepted")
	}
}

// TestStoppingBars: what a report takes over is met, apart from chance.
func TestStoppingBars(t *testing.T) {
	models, err := noise.Named("iid,ar0.46")
	if err != nil {
		t.Fatal(err)
	}
	bars := stoppingBars(simulation.Setup{Plan: trial.Plan{Seed: 1, Parallel: 2}, Trials: 8, Models: models})
	if len(bars) != 6 {
		t.Errorf("%d bars", len(bars))
	}
	for _, b := range bars {
		if b.Failed() {
			t.Errorf("%s: %g", b.Name, b.Measured)
		}
	}
}
