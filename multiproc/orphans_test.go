//go:build unix

package multiproc_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/multiproc"
)

func init() {
	programs["sleeping children"] = sleepingChildren
}

// sleepingChildren runs processes that each start another one, and sleep.
func sleepingChildren(args []string) {
	dir := args[0]
	multiproc.MainSuite(multiproc.Options{Parallel: 2, Journal: filepath.Join(dir, "journal.gz")}, func(p *multiproc.Process) error {
		if p.Index < 2 {
			return steady(p)
		}
		leavePID(dir, p.Index)
		if err := command("sleeper", dir, itoa(100+p.Index)).Start(); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		return nil
	})
}

// startSleepers starts the program and waits until two processes, and what they
// have started, sleep.
func startSleepers(t *testing.T, dir string) (cmd *exec.Cmd, all []int, out *strings.Builder) {
	t.Helper()
	cmd, out = command("sleeping children", dir), new(strings.Builder)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, expectPIDs(t, dir, 4), out
}

func TestProcessesDieWithTheirParent(t *testing.T) {
	dir := t.TempDir()
	cmd, all, _ := startSleepers(t, dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	expectGone(t, all)
	if len(finishedIn(t, filepath.Join(dir, "journal.gz"))) != 2 {
		t.Error("the journal lost what was finished")
	}
}

func TestInterruptionEndsEverything(t *testing.T) {
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sent.String(), func(t *testing.T) {
			if signal.Ignored(sent) {
				t.Skip("this signal is ignored here, and so by everything that is started here")
			}
			dir := t.TempDir()
			cmd, all, out := startSleepers(t, dir)
			begun := time.Now()
			if err := cmd.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			if status := cmd.ProcessState.ExitCode(); status != 128+int(sent) || !strings.Contains(out.String(), "multiproc: the run was stopped: interrupted") {
				t.Errorf("status %d: %s", status, out)
			}
			expectGone(t, all)
			if len(finishedIn(t, filepath.Join(dir, "journal.gz"))) != 2 {
				t.Error("the journal lost what was finished")
			}
		})
	}
}

func TestAContextEndsEverything(t *testing.T) {
	dir := shared(t)
	ctx, cancel := context.WithCancel(t.Context())
	if os.Getenv("MULTIPROC_TEST_CHILD") == "" {
		t.Setenv("MULTIPROC_TEST_CHILD", "1")
		go func() {
			for len(quietPIDs(dir)) == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			cancel()
		}()
	}
	defer cancel()
	r, err := runIn(ctx, t, multiproc.Options{}, func(p *multiproc.Process) error {
		if p.Index < 3 {
			return steady(p)
		}
		leavePID(dir, p.Index)
		time.Sleep(time.Minute)
		return nil
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, multiproc.ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	// What is known by then comes with the error.
	if r.Processes != 3 || r.Comparisons[0].Pooled.Processes != 3 || r.Precise {
		t.Errorf("%+v", r)
	}
	expectGone(t, pids(t, dir))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runIn(ended, t, multiproc.Options{}, steady); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
