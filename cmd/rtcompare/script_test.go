package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var errUnknownCondition = errors.New("unknown condition")

// longestWait is how long a script waits for anything that has to happen at all.
const longestWait = 60 * time.Second

// exits runs a command and checks its exit code: exits CODE COMMAND ARGUMENT...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// await waits until a file is there and holds a match: await FILE [REGEXP]
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await FILE [REGEXP]")
	}
	pattern := regexp.MustCompile("")
	if len(args) == 2 {
		pattern = regexp.MustCompile(args[1])
	}
	for deadline := time.Now().Add(longestWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && pattern.Match(text) {
			return
		}
	}
	ts.Fatalf("%s did not come to hold %q", args[0], pattern)
}

// setFrom gives a variable what a file holds: setfrom NAME FILE
func setFrom(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: setfrom NAME FILE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

// signalled is the command in the background that got a signal, and when.
type signalled struct {
	command *exec.Cmd
	at      time.Time
}

type signalledKey struct{}

// signal sends a signal to the newest command in the background: signal NAME
func signal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "KILL": os.Kill}
	background := ts.BackgroundCmds()
	if neg || len(args) != 1 || signals[args[0]] == nil || len(background) == 0 {
		ts.Fatalf("usage: signal INT|TERM|KILL, with a command in the background")
	}
	s := ts.Value(signalledKey{}).(*signalled)
	s.command, s.at = background[len(background)-1], time.Now()
	ts.Check(s.command.Process.Signal(signals[args[0]]))
}

// ended checks the exit code of the command that got a signal, once it was
// waited for, and that it ended soon: ended CODE
func ended(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(signalledKey{}).(*signalled)
	if neg || len(args) != 1 || s.command == nil || s.command.ProcessState == nil {
		ts.Fatalf("usage: ended CODE, after signal and wait")
	}
	took := time.Since(s.at)
	ts.Logf("ended %.2f s after the signal", took.Seconds())
	if code := s.command.ProcessState.ExitCode(); fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
	// On an idle machine it takes a few hundredths of a second.
	if took > 10*time.Second {
		ts.Fatalf("it went on for %v after the signal", took)
	}
}

// orphans fails if a process with this mark in its environment stays alive.
func orphans(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: orphans MARK")
	}
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left := marked(args[0])
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("still running: %v", left)
		}
	}
}

// marked lists the processes with a mark in their environment.
func marked(mark string) []string {
	var found []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err == nil && bytes.Contains(environ, []byte(mark)) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			if len(command) > 0 {
				found = append(found, string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
			}
		}
	}
	return found
}
