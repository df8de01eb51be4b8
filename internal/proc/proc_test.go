package proc

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// modeVariable makes the test binary one of the children below.
const (
	modeVariable     = "PROC_TEST_MODE"
	lifelineVariable = "PROC_TEST_LIFELINE"
)

func TestMain(m *testing.M) {
	switch os.Getenv(modeVariable) {
	case "":
		os.Exit(m.Run())
	case "speak":
		fmt.Println("out", len(os.Args), os.Args[1], os.Getenv("PROC_TEST_WORD"))
		fmt.Fprintln(os.Stderr, "problem")
		os.Exit(7)
	case "sleep":
		time.Sleep(time.Minute)
	case "follow":
		Follow(lifelineVariable)
		if _, there := os.LookupEnv(lifelineVariable); there {
			os.Exit(9)
		}
		fmt.Println(os.Getpid())
		time.Sleep(time.Minute)
	case "deadlock":
		Follow(lifelineVariable)
		select {}
	}
	os.Exit(0)
}

func child(t *testing.T, mode string, args ...string) Command {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: own, Args: args, Env: append(os.Environ(), modeVariable+"="+mode, "PROC_TEST_WORD=word"), Lifeline: lifelineVariable}
}

func TestRun(t *testing.T) {
	var out, problems strings.Builder
	c := child(t, "speak", "argument")
	c.Stdout, c.Stderr = &out, &problems
	exit, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if exit.Code != 7 || exit.Signal != "" || exit.Cancelled || exit.PID == 0 || exit.Elapsed <= 0 || exit.String() != "exit status 7" {
		t.Errorf("%+v", exit)
	}
	if out.String() != "out 2 argument word\n" || problems.String() != "problem\n" {
		t.Errorf("%q %q", out.String(), problems.String())
	}
}

func TestRunNamesAProgramThatCannotStart(t *testing.T) {
	if _, err := Run(t.Context(), Command{Path: "/nowhere/at all"}); err == nil || !strings.Contains(err.Error(), "starting /nowhere/at all") {
		t.Errorf("error %v", err)
	}
	c := child(t, "speak")
	c.Dir = "/nowhere/at all"
	if _, err := Run(t.Context(), c); err == nil {
		t.Error("no error")
	}
}

func TestAContextKills(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	exit, err := Run(ctx, child(t, "sleep"))
	if err != nil || !exit.Cancelled || time.Since(begun) > 20*time.Second {
		t.Errorf("%+v, %v after %v", exit, err, time.Since(begun))
	}
	if exit, err = Run(ctx, child(t, "sleep")); err != nil || !exit.Cancelled || exit.PID != 0 {
		t.Errorf("%+v, %v", exit, err)
	}
}

func TestFollowWithoutALifelineDoesNothing(t *testing.T) {
	Follow("PROC_TEST_NONE")
	t.Setenv("PROC_TEST_NONE", "not a number")
	Follow("PROC_TEST_NONE")
	if _, there := os.LookupEnv("PROC_TEST_NONE"); there {
		t.Error("the variable is still there")
	}
	// This process may lead no group of its own: then its lifeline is not one.
	t.Setenv("PROC_TEST_NONE", "-1")
	Follow("PROC_TEST_NONE")
}
