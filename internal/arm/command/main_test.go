package command

import (
	"context"
	"os"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

func TestMain(m *testing.M) {
	spawn.Serve()
	os.Exit(m.Run())
}

// script is a runner that runs nothing: it notes what it was asked for, and
// answers with the next exit, or with the last one again.
type script struct {
	exits []spawn.Exit
	asked []spawn.Command
}

func (s *script) Run(ctx context.Context, c spawn.Command) (spawn.Exit, error) {
	if ctx.Err() != nil {
		return spawn.Exit{}, ctx.Err()
	}
	s.asked = append(s.asked, c)
	if c.KeepDescendants { // a step
		return spawn.Exit{}, nil
	}
	exit := s.exits[0]
	if len(s.exits) > 1 {
		s.exits = s.exits[1:]
	}
	return exit, nil
}

// line is a program that a shell runs.
func line(text string) Program { return Program{Shell: []string{"sh", "-c"}, Line: text} }

// open makes an instance that is closed with the test.
func open(t *testing.T, spec Spec, runner Runner, slot engine.Slot) engine.Session {
	t.Helper()
	session, err := New(spec, runner).Open(t.Context(), slot)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

// start makes a spawner that is closed with the test.
func start(t *testing.T) *spawn.Spawner {
	t.Helper()
	s, err := spawn.Start(t.Context(), spawn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// extras turns a sample's own metrics into a map.
func extras(s engine.Sample) map[string]float64 {
	all := map[string]float64{}
	for _, e := range s.Extra {
		all[e.Metric] = e.Value
	}
	return all
}
