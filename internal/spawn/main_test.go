package spawn

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// part is the variable that makes the test binary play another program.
const part = "RTCOMPARE_SPAWN_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(part) != "deaf" {
		Serve()
	}
	switch os.Getenv(part) {
	case "deaf": // a program that never serves
		return
	case "parent":
		playParent()
	default:
		os.Exit(m.Run())
	}
}

// playParent runs a command that would go on for ever, after it has started a
// server, and says when both run.
func playParent() {
	ctx := context.Background()
	s, err := Start(ctx, Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	marker := os.Args[1]
	_, err = s.Run(ctx, Command{Argv: []string{"sh", "-c", "setsid sleep " + marker + " & sleep " + marker + " &"}, KeepDescendants: true})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() {
		_, err := s.Run(ctx, Command{Argv: []string{"sh", "-c", "trap '' TERM; setsid sleep " + marker + " & sleep " + marker + "; sleep " + marker}})
		fmt.Println(err)
	}()
	time.Sleep(time.Hour)
}

// start makes a spawner that is closed with the test.
func start(t *testing.T) *Spawner {
	t.Helper()
	s, err := Start(t.Context(), Options{})
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

// shell is a command that a shell runs.
func shell(line string) Command { return Command{Argv: []string{"sh", "-c", line}} }
