//go:build unix

package gobench

import (
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// A session that nobody has visited ends at once: an interrupted run closes such
// ones.
func TestUnvisitedSessionsEnd(t *testing.T) {
	w := pausable(t)
	for _, name := range []string{"BenchmarkLoop", "BenchmarkCount"} {
		session, err := w.benchmark(name, gobuild.Pausing).Open(t.Context(), engine.Slot{})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- session.Close() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: closing hangs", name)
		}
	}
}
