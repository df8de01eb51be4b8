package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	if err := run(args, &out, &problems); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, problems.String())
	}
	return out.String()
}

func TestUsageListsEveryCommand(t *testing.T) {
	text := output(t)
	for _, c := range commands() {
		if listed := strings.Contains(text, "  "+c.name+" "); listed == c.hidden {
			t.Errorf("%s: listed %v, hidden %v", c.name, listed, c.hidden)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	for _, args := range [][]string{{"nonsense"}, {"swap", "-trials", "0"}, {"swap", "more"}, {"coverage", "-noise", "pink"}} {
		var out, problems bytes.Buffer
		if err := run(args, &out, &problems); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

// TestSimulatedCommands runs each simulation with a few trials: it prints a
// table, the same for any number of goroutines.
func TestSimulatedCommands(t *testing.T) {
	small := map[string][]string{"sequential": {"-units", "8"}, "delay": {"-units", "8"}}
	for _, c := range simulated() {
		args := append([]string{c.name, "-trials", "3", "-seed", "7", "-noise", "iid,ar0.4", "-json"}, small[c.name]...)
		alone, together := output(t, append(args, "-parallel", "1")...), output(t, append(args, "-parallel", "3")...)
		if alone != together {
			t.Errorf("%s depends on the number of goroutines:\n%s%s", c.name, alone, together)
		}
		var table struct {
			Title string           `json:"title"`
			Rows  []map[string]any `json:"rows"`
		}
		if err := json.Unmarshal([]byte(alone), &table); err != nil || table.Title == "" || len(table.Rows) == 0 {
			t.Errorf("%s: %v in %s", c.name, err, alone)
		}
	}
}

// TestReportOfSimulations runs the machinery of the report on the simulations.
func TestReportOfSimulations(t *testing.T) {
	text := output(t, "report", "--quick", "-simulations", "-trials", "4", "-noise", "iid")
	for _, want := range []string{"false verdicts under the worst noise", "violations of the symmetry", "three standard errors"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "MISSED") {
		t.Errorf("a bar was missed:\n%s", text)
	}
}

func TestConclude(t *testing.T) {
	fine := sheet.Bar{Name: "fine", Limit: 0.05, Measured: 0.04, Trials: 100, Full: 100, Binding: true}
	machine := sheet.Bar{Name: "machine", Limit: 0.05, Measured: 0.4, Trials: 100, Full: 100}
	missed := sheet.Bar{Name: "missed", Limit: 0.05, Measured: 0.4, Trials: 100, Full: 100, Binding: true}
	if _, err := conclude([]sheet.Bar{fine, machine}); err != nil {
		t.Errorf("what the machine shows fails the report: %v", err)
	}
	if tables, err := conclude([]sheet.Bar{fine, missed, machine}); !errors.Is(err, errMissed) || len(tables) != 1 {
		t.Errorf("a missed bar gives %v and %d tables", err, len(tables))
	}
}
