package spawn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// marker is an argument of sleep that no other process has.
func marker(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("%d.%09d", 1000+os.Getpid()%1000, time.Now().UnixNano()%1e9)
}

// marked lists the running processes that have the marker as an argument.
func marked(marker string) []int {
	var found []int
	for _, p := range processes() {
		line, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
		if bytes.Contains(line, []byte("sleep\x00"+marker+"\x00")) {
			found = append(found, p.pid)
		}
	}
	return found
}

// eventually waits until as many processes have the marker as wanted.
func eventually(t *testing.T, marker string, want int) {
	t.Helper()
	var found []int
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if found = marked(marker); len(found) == want {
			return
		}
	}
	t.Fatalf("%d processes run, want %d: %v", len(found), want, found)
}

func TestLeftoversAreEndedAndCounted(t *testing.T) {
	s := start(t)
	m := marker(t)
	for line, want := range map[string]int{
		"sleep M &":                             1,
		"setsid sleep M &":                      1,
		"sleep M & setsid sh -c 'sleep M; :' &": 3,
		"(trap '' TERM; setsid sleep M) & sleep 0.05; exit 3": 2,
		"true & wait": 0,
		"(sleep 0) &": -1, // it may have ended already
	} {
		exit, err := s.Run(t.Context(), shell(strings.ReplaceAll(line, "M", m)))
		if err != nil {
			t.Fatal(err)
		}
		// A shell may replace itself by its last command.
		if exit.LeftBehind > want && want >= 0 || exit.LeftBehind < want-1 || want > 0 && exit.LeftBehind == 0 {
			t.Errorf("%s: %d left behind, want %d", line, exit.LeftBehind, want)
		}
		if left := marked(m); len(left) > 0 {
			t.Errorf("%s: still running: %v", line, left)
		}
	}
}

func TestTimeoutEndsWhatHasEscaped(t *testing.T) {
	s := start(t)
	m := marker(t)
	c := shell("trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep " + m + "; :' & sleep " + m + "; sleep " + m)
	c.Timeout, c.Grace = 200*time.Millisecond, 100*time.Millisecond
	exit, err := s.Run(t.Context(), c)
	if err != nil || !exit.TimedOut {
		t.Errorf("%v, %v", exit, err)
	}
	if left := marked(m); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
}

func TestKeptDescendants(t *testing.T) {
	s, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m := marker(t)
	// The server writes on into a pipe whose reader it has outlived.
	setup := shell("(trap '' PIPE; while echo alive; do sleep 0.01; done; exec sleep 0) & setsid sleep " + m + " &")
	setup.KeepDescendants, setup.Stdout, setup.Stderr = true, Output{Kind: Tail, Limit: 100}, Output{Kind: Pipe}
	setup.Argv[2] = strings.Replace(setup.Argv[2], "exec sleep 0", "exec sleep "+m+"9", 1)
	exit, err := s.Run(t.Context(), setup)
	if err != nil || exit.Code != 0 || exit.LeftBehind != 0 {
		t.Fatalf("%v, %v", exit, err)
	}
	for range 3 {
		if exit, err := s.Run(t.Context(), shell("sleep 100 &")); err != nil || exit.LeftBehind != 1 {
			t.Errorf("measured: %+v, %v", exit, err)
		}
	}
	if exit, err := s.Run(t.Context(), Command{Argv: []string{"true"}, KeepDescendants: true}); err != nil || exit.Code != 0 {
		t.Errorf("another step: %v, %v", exit, err)
	}
	eventually(t, m, 1)
	if broken := marked(m + "9"); len(broken) > 0 {
		t.Error("the server's output was closed")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left := marked(m); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
}

func TestDeathOfTheParentLeavesNothing(t *testing.T) {
	m := marker(t)
	parent := exec.Command(os.Args[0])
	parent.Args = []string{os.Args[0], m}
	parent.Env = append(os.Environ(), part+"=parent")
	var said bytes.Buffer
	parent.Stdout, parent.Stderr = &said, &said
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, m, 4)
	spawners := descendants(parent.Process.Pid)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	eventually(t, m, 0)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		running := 0
		for _, pid := range spawners {
			line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
			if err == nil && bytes.HasPrefix(line, []byte(role)) {
				running++
			}
		}
		if running == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d spawners are left; %s", running, said.String())
		}
	}
}

func TestDeathOfTheSpawner(t *testing.T) {
	s, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m := marker(t)
	result := make(chan error, 1)
	go func() {
		_, err := s.Run(context.Background(), shell("sleep "+m+"; sleep "+m))
		result <- err
	}()
	eventually(t, m, 1)
	if err := s.measured.process.Kill(); err != nil {
		t.Fatal(err)
	}
	err = <-result
	if !errors.Is(err, ErrSpawnerDied) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the command that ran: %v", err)
	}
	eventually(t, m, 0)
	if _, err := s.Run(t.Context(), shell("exit 0")); !errors.Is(err, ErrSpawnerDied) {
		t.Errorf("the next command: %v", err)
	}
}

func TestSignalToTheSpawner(t *testing.T) {
	s, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m := marker(t)
	go func() { _, _ = s.Run(context.Background(), shell("sleep "+m+" & sleep "+m+"; sleep "+m)) }()
	eventually(t, m, 2)
	if err := s.measured.process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, m, 0)
	<-s.measured.gone
}

func TestStartOfAProgramThatDoesNotServe(t *testing.T) {
	t.Setenv(part, "deaf")
	_, err := Start(t.Context(), Options{})
	if err == nil || !strings.Contains(err.Error(), "spawn.Serve") {
		t.Errorf("%v", err)
	}
	if _, err := Start(t.Context(), Options{Executable: "/no/such/program"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such program: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, Options{Executable: "/bin/cat"}); err == nil {
		t.Error("a program that never answers was taken for a spawner")
	}
}
