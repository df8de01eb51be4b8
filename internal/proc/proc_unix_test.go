//go:build unix

package proc

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// start starts a follower as Run does and returns the parent's side.
func start(t *testing.T) (cmd *exec.Cmd, line *lifeline, pid int) {
	t.Helper()
	c := child(t, "follow")
	cmd = exec.Command(c.Path)
	cmd.Env = c.Env
	line, err := tie(cmd, lifelineVariable)
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if _, err := line.started(cmd.Process); err != nil {
		t.Fatal(err)
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the child did not come up: %v", err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return cmd, line, pid
}

// The closing of the lifeline alone ends a child: here its parent lives on.
func TestTheLifelineEndsAChild(t *testing.T) {
	cmd, line, pid := start(t)
	if pid != cmd.Process.Pid {
		t.Errorf("process %d says it is %d", cmd.Process.Pid, pid)
	}
	if group, err := syscall.Getpgid(pid); err != nil || group != pid {
		t.Errorf("group %d, %v", group, err)
	}
	time.Sleep(20 * time.Millisecond)
	if syscall.Kill(pid, 0) != nil {
		t.Fatal("it did not live")
	}
	line.close()
	begun := time.Now()
	_ = cmd.Wait()
	if _, signal := status(cmd.ProcessState); signal != "killed" || time.Since(begun) > 20*time.Second {
		t.Errorf("%v after %v", cmd.ProcessState, time.Since(begun))
	}
}

// A child whose goroutines all sleep for good still ends by itself.
func TestDeadlocksAreStillFound(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a goroutine waits for the lifeline here")
	}
	if withRaceDetector {
		t.Skip("the race detector's own thread keeps the runtime from seeing a deadlock")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var problems strings.Builder
	c := child(t, "deadlock")
	c.Stderr = &problems
	exit, err := Run(ctx, c)
	if err != nil || exit.Code != 2 || !strings.Contains(problems.String(), "all goroutines are asleep") {
		t.Errorf("%+v, %v: %s", exit, err, problems.String())
	}
}

// The whole group is killed, and what holds on to the output does not hold up
// the parent.
func TestTheGroupIsKilled(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	read, write := io.Pipe()
	pids := make(chan int, 1)
	go func() {
		line, _ := bufio.NewReader(read).ReadString('\n')
		pid, _ := strconv.Atoi(strings.TrimSpace(line))
		pids <- pid
		_, _ = io.Copy(io.Discard, read)
	}()
	begun := time.Now()
	exit, err := Run(t.Context(), Command{Path: sh, Args: []string{"-c", "sleep 60 & echo $!"}, Env: os.Environ(), Stdout: write})
	if err != nil || exit.Code != 0 || time.Since(begun) > 20*time.Second {
		t.Errorf("%+v, %v after %v", exit, err, time.Since(begun))
	}
	pid := <-pids
	for turn := 0; syscall.Kill(pid, 0) == nil && turn < 500; turn++ {
		if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(text), ") Z") {
			return // ended, and nobody has asked for its status
		}
		time.Sleep(10 * time.Millisecond)
		if turn == 499 {
			t.Errorf("process %d is still there", pid)
		}
	}
}
