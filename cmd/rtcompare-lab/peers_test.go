package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// TestMain lets the test binary be the processes that the experiments start.
func TestMain(m *testing.M) {
	spawn.Serve()
	for _, c := range commands() {
		if !c.hidden || len(os.Args) < 2 || os.Args[1] != c.name {
			continue
		}
		if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestRecorderCommand runs an experiment with a server of its own as its users
// do.
func TestRecorderCommand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the experiments are tested on Linux, where all of their parts exist")
	}
	text := output(t, "recorder", "-trials", "1", "-scale", "0.05", "-load", "1")
	for _, want := range []string{"recorder: a server", "p99", "Load average", "difference of a recorded"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestPeerCommandsRefuseNonsense(t *testing.T) {
	for _, args := range [][]string{{"peer", "-role", "nobody"}, {"against-wrk", "-trials", "0"}, {"paced-servers", "-no-such-flag"}} {
		var out, problems bytes.Buffer
		if err := run(args, &out, &problems); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
