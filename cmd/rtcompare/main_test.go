package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// TestMain makes this test binary the commands of the scripts: rtcompare itself,
// which starts itself again as the process that starts commands, and what it
// compares.
func TestMain(m *testing.M) {
	spawn.Serve()
	testscript.Main(m, map[string]func(){"rtcompare": main, "testserver": serve, "busy": busy, "record-call": recordCall})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else every program takes a second with the race detector
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY"} {
				env.Setenv(name, goEnvironment(name))
			}
			env.Values[signalledKey{}] = &signalled{}
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "await": await, "setfrom": setFrom, "signal": signal, "ended": ended, "orphans": orphans, "mounted": mounted,
		},
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
