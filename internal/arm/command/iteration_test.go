package command

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// numbering notes the number of every run.
type numbering struct{ seen []string }

func (n *numbering) Run(_ context.Context, c spawn.Command) (spawn.Exit, error) {
	for _, entry := range c.Env {
		if value, ok := strings.CutPrefix(entry, IterationVariable+"="); ok {
			n.seen = append(n.seen, value)
		}
	}
	return spawn.Exit{}, nil
}

// Both instances of a command count on from each other, and runs that warm up
// are called so.
func TestRunsAreNumberedTogether(t *testing.T) {
	runner := &numbering{}
	a := New(Spec{Name: "a", Program: Program{Argv: []string{"x"}}}, runner)
	var sessions []engine.Session
	for replica := range 2 {
		s, err := a.Open(context.Background(), engine.Slot{Replica: replica})
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, s)
	}
	for _, request := range []engine.Request{{N: 1, Warming: true}, {N: 1}, {N: 2, Lead: 1}} {
		for _, s := range sessions {
			var sample engine.Sample
			if err := s.Do(context.Background(), request, &sample); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"warmup-0", "warmup-1", "0", "1", "warmup-2", "2", "3", "warmup-3", "4", "5"}
	if !slices.Equal(runner.seen, want) {
		t.Errorf("runs %v, want %v", runner.seen, want)
	}
}
