package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// TestMain makes this test binary the commands of the scripts: rtcompare itself,
// which starts itself again as the process that starts commands, and a server.
func TestMain(m *testing.M) {
	spawn.Serve()
	testscript.Main(m, map[string]func(){"rtcompare": main, "testserver": serve, "busy": busy})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("HOME", env.WorkDir)
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY"} {
				env.Setenv(name, goEnvironment(name))
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "orphans": orphans},
	})
}

// goEnvironment is the go command's value of a variable: scripts have a home of
// their own, and builds in them should not start from nothing.
func goEnvironment(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return ""
	}
	return string(out[:max(0, len(out)-1)])
}

// exits runs a command and checks its exit code: exits CODE COMMAND ARGUMENT...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if failed, ok := err.(*exec.ExitError); ok {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// orphans fails if a process with this mark in its environment is alive.
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

// serve answers every request after a delay, until it is killed.
func serve() {
	delay := flag.Duration("delay", 0, "how long an answer takes")
	status := flag.Int("status", 200, "the status of every answer")
	after := flag.Int("die-after", 0, "end after so many requests")
	file := flag.String("addr", "", "file to write the address to")
	flag.Parse()
	requests := 0
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; *after > 0 && requests > *after {
			os.Exit(0)
		}
		time.Sleep(*delay)
		w.Header().Set("X-Got", r.Header.Get("X-Send"))
		w.WriteHeader(*status)
		fmt.Fprintln(w, "hello", r.Method, r.Header.Get("X-Send"))
	})}
	listener, err := listen()
	if err == nil {
		err = writeAddress(*file, listener.Addr().String())
	}
	if err == nil {
		err = server.Serve(listener)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// busy uses a processor for a time, prints a number, and exits with a code.
func busy() {
	length := flag.Duration("for", 5*time.Millisecond, "how long")
	code := flag.Int("exit", 0, "exit code")
	rate := flag.Float64("rate", 100, "number to print")
	flag.Parse()
	for start := time.Now(); time.Since(start) < *length; {
	}
	fmt.Printf("rate %g items/s\n{\"rate\": %g}\n", *rate, *rate)
	os.Exit(*code)
}
