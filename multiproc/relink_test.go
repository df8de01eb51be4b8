package multiproc_test

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// The processes run in several layouts, and the scatter is told apart by
// where it comes from.
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the test binary")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("it needs the go command")
	}
	r := multiproc.RunTestSuite(t, multiproc.Options{Layouts: 3, MinProcesses: 6}, func(p *multiproc.Process) error {
		// Where two functions lie says which link order this is.
		at := reflect.ValueOf(steady).Pointer() - reflect.ValueOf(seeded).Pointer()
		x := report(0.1 + float64(int64(at)%1000)*1e-6)
		x.NsPerOpA = float64(int64(at))
		p.Record("place", x)
		return nil
	})
	c := r.Comparisons[0]
	if r.Layouts != 3 || r.Processes != 6 || c.Pooled.Unit != rtcompare.UnitLayout || c.Pooled.Units != 3 || !strings.Contains(r.String(), "6 processes on 3 layouts") {
		t.Errorf("%+v\n%s", r, r)
	}
	places := make(map[int]map[float64]bool)
	for _, x := range c.Reports {
		layout := x.Origin.Layout
		if places[layout] == nil {
			places[layout] = make(map[float64]bool)
		}
		places[layout][x.NsPerOpA] = true
	}
	if len(places) != 3 || len(places[1]) != 1 || reflect.DeepEqual(places[1], places[2]) || reflect.DeepEqual(places[2], places[3]) {
		t.Errorf("functions lie at %v", places)
	}
	if s := c.Pooled.Scatter; s.Processes != 0 || !(s.Layouts > 0) || !(s.Within > 0) {
		t.Errorf("%+v", s)
	}
}

func TestLayoutsAreRefusedWhereTheyCannotBe(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := runHere(t, multiproc.Options{Layouts: 3}, steady)
	if err == nil || !strings.Contains(err.Error(), "option Layouts: the go command is needed") {
		t.Errorf("error %v", err)
	}
}
