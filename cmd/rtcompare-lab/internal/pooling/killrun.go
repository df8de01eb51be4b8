package pooling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// markVariable is in the environment of a run and of all that comes of it.
	markVariable = "RTCOMPARE_LAB_MARK"
	// grace is how long what a run has started may live on.
	grace = 2 * time.Second
	// longestRun ends a run that hangs.
	longestRun = time.Minute
)

// scriptedRun is one start of the scripted run.
type scriptedRun struct {
	command *exec.Cmd
	mark    string
	out     bytes.Buffer
	errors  bytes.Buffer
}

func newScriptedRun(dir, name string, seed uint64) (*scriptedRun, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	run := &scriptedRun{mark: fmt.Sprintf("%s=%s/%s %d", markVariable, dir, name, time.Now().UnixNano())}
	run.command = exec.Command(program, ScriptedCommand, "-journal", filepath.Join(dir, name+".gz"), "-seed", strconv.FormatUint(seed, 10))
	// A killed run cannot clear up behind itself, so its temporary files go to
	// a directory that is removed later.
	run.command.Env = append(os.Environ(), run.mark, "TMPDIR="+dir)
	run.command.SysProcAttr = dieWithParent()
	run.command.Stdout, run.command.Stderr = &run.out, &run.errors
	run.command.WaitDelay = grace
	return run, nil
}

// finish runs to the end and returns the last account.
func (run *scriptedRun) finish(ctx context.Context) (account, error) {
	ended, err := run.start()
	if err != nil {
		return account{}, err
	}
	if err := run.wait(ctx, ended); err != nil {
		return account{}, err
	}
	a := run.account()
	if !a.Done {
		return a, fmt.Errorf("a run ended without a result: %s", strings.TrimSpace(run.errors.String()))
	}
	return a, nil
}

// start returns a channel that gets the run's end.
func (run *scriptedRun) start() (<-chan error, error) {
	if err := run.command.Start(); err != nil {
		return nil, fmt.Errorf("starting a run: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.command.Wait() }()
	return ended, nil
}

// wait waits for the end, which may be a violent one.
func (run *scriptedRun) wait(ctx context.Context, ended <-chan error) error {
	var stopped error
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return fmt.Errorf("waiting for a run: %w", err)
		}
		return nil
	case <-ctx.Done():
		stopped = context.Cause(ctx)
	case <-time.After(longestRun):
		stopped = fmt.Errorf("a run has not ended after %v", longestRun)
	}
	_ = run.command.Process.Kill()
	<-ended
	return stopped
}

// strike kills at a moment after the start. It returns what the run had said by
// then, or by its end, and whether it was still there to be killed.
func (run *scriptedRun) strike(ctx context.Context, who victim, moment time.Duration, r *rand.Rand) (account, bool, error) {
	ended, err := run.start()
	if err != nil {
		return account{}, false, err
	}
	select {
	case <-time.After(moment):
	case <-ctx.Done():
	}
	killed := false
	if who == theParent {
		killed = run.command.Process.Kill() == nil
	} else {
		killed = run.killChild(r, ended)
	}
	if err := run.wait(ctx, ended); err != nil {
		return account{}, killed, err
	}
	return run.account(), killed, nil
}

// account is the last whole line that the run has printed; the zero value if it
// came to none.
func (run *scriptedRun) account() (a account) {
	for line := range strings.Lines(run.out.String()) {
		var next account
		if strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(line), &next) == nil {
			a = next
		}
	}
	return a
}

// orphans counts what is alive of the run after the grace.
func (run *scriptedRun) orphans() int {
	for deadline := time.Now().Add(grace); ; time.Sleep(10 * time.Millisecond) {
		if left := len(marked(run.mark)); left == 0 || time.Now().After(deadline) {
			return left
		}
	}
}
