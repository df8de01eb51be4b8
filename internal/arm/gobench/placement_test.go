//go:build unix

package gobench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
)

func TestProcessesAreMovedTogether(t *testing.T) {
	w := pausable(t)
	if len(w.cpus) < 2 {
		t.Skip("there is one processor only")
	}
	placement := new(Placement)
	var sessions []*paused
	for range 2 {
		b := w.benchmark("BenchmarkLoop", gobuild.Pausing)
		b.Placement = placement
		sessions = append(sessions, open(t, b, engine.Slot{CPUs: w.cpus}))
	}
	for unit := range 3 {
		for _, s := range sessions {
			visit(t, s, engine.Request{N: 10})
			if s.place.at != w.cpus[unit%len(w.cpus)] {
				t.Errorf("unit %d runs on processor %d", unit, s.place.at)
			}
			if allowed := allowedProcessors(t, s.child.pid); allowed != "" && allowed != fmt.Sprint(s.place.at) {
				t.Errorf("unit %d may run on %s", unit, allowed)
			}
		}
		for _, s := range sessions {
			if err := s.Report(new(record.Cell)); err != nil {
				t.Error(err)
			}
		}
	}
	b := w.benchmark("BenchmarkParallel", gobuild.Pausing)
	b.Placement = placement
	s := open(t, b, engine.Slot{CPUs: w.cpus})
	visit(t, s, engine.Request{N: 10})
	visit(t, s, engine.Request{N: 10})
	if s.place.at != everywhere {
		t.Errorf("a parallel benchmark stays on processor %d", s.place.at)
	}
}

// allowedProcessors is what the system says about a process's threads, where it
// does.
func allowedProcessors(t *testing.T, pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
