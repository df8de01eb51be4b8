//go:build unix

package spawn

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestExitCodes(t *testing.T) {
	s := start(t)
	for _, test := range []struct {
		line         string
		code, signal int
		says         string
	}{
		{"exit 0", 0, 0, "exit status 0"},
		{"exit 7", 7, 0, "exit status 7"},
		{"exit 137", 137, 0, "exit status 137"},
		{"kill -KILL $$", 137, 9, "killed by signal 9 (SIGKILL)"},
		{"kill -SEGV $$", 139, 11, "killed by signal 11 (SIGSEGV)"},
	} {
		exit, err := s.Run(t.Context(), shell(test.line))
		if err != nil {
			t.Fatal(err)
		}
		if exit.Code != test.code || exit.Signal != test.signal || exit.TimedOut || exit.LeftBehind != 0 {
			t.Errorf("%s: %+v", test.line, exit)
		}
		if exit.String() != test.says {
			t.Errorf("%s: says %q, want %q", test.line, exit, test.says)
		}
		if exit.Success() != (test.code == 0) {
			t.Errorf("%s: success is %v", test.line, exit.Success())
		}
	}
}

func TestEnvironmentAndDirectory(t *testing.T) {
	s := start(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"B=two words", "A=1=2", "EMPTY=", "PATH=/usr/bin:/bin", "GOMAXPROCS=7"}
	command := Command{Argv: []string{"env"}, Env: env, Dir: dir, Stdout: Output{Kind: Head, Limit: 1 << 20}}
	exit, err := s.Run(t.Context(), command)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSuffix(string(exit.Stdout), "\n"); got != strings.Join(env, "\n") {
		t.Errorf("environment:\n%s", got)
	}
	command.Argv = []string{"pwd", "-P"}
	if exit, err = s.Run(t.Context(), command); err != nil || string(exit.Stdout) != dir+"\n" {
		t.Errorf("directory: %q, %v", exit.Stdout, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own"), []byte("#!/bin/sh\necho here\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{"./own"}, {"own"}} {
		command.Argv, command.Env = argv, []string{"PATH=."}
		if exit, err = s.Run(t.Context(), command); err != nil || string(exit.Stdout) != "here\n" {
			t.Errorf("%v in the directory: %q, %v", argv, exit.Stdout, err)
		}
	}
}

func TestStartErrors(t *testing.T) {
	s := start(t)
	dir := t.TempDir()
	file := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := file("plain", "#!/bin/sh\n", 0o644)
	for name, test := range map[string]struct {
		command Command
		is      error
		says    []string
	}{
		"empty":             {Command{}, nil, []string{"empty"}},
		"not in PATH":       {Command{Argv: []string{"no-such-program"}}, fs.ErrNotExist, []string{`"no-such-program"`, "PATH"}},
		"no such file":      {Command{Argv: []string{dir + "/none"}}, fs.ErrNotExist, []string{dir + "/none", "no such file"}},
		"not executable":    {Command{Argv: []string{plain}}, fs.ErrPermission, []string{plain, "chmod +x"}},
		"in PATH but not x": {Command{Argv: []string{"plain"}, Env: []string{"PATH=" + dir}}, fs.ErrPermission, []string{plain, "chmod +x"}},
		"directory":         {Command{Argv: []string{dir}}, fs.ErrPermission, []string{dir, "is a directory"}},
		"no interpreter":    {Command{Argv: []string{file("script", "#!/no/such/shell -x\n", 0o755)}}, fs.ErrNotExist, []string{"/no/such/shell"}},
		"not a program":     {Command{Argv: []string{file("text", "some text", 0o755)}}, syscall.ENOEXEC, []string{"no program for this machine"}},
		"no directory":      {Command{Argv: []string{"true"}, Dir: dir + "/none"}, fs.ErrNotExist, []string{dir + "/none", "working directory does not exist"}},
		"file as directory": {Command{Argv: []string{"true"}, Dir: plain}, syscall.ENOTDIR, []string{plain, "not a directory"}},
		"no input":          {Command{Argv: []string{"true"}, Stdin: dir + "/none"}, fs.ErrNotExist, []string{dir + "/none", "input"}},
		"no output":         {Command{Argv: []string{"true"}, Stdout: Output{Kind: File, Path: dir + "/none/x"}}, fs.ErrNotExist, []string{dir + "/none/x", "output"}},
	} {
		_, err := s.Run(t.Context(), test.command)
		var failed *StartError
		if !errors.As(err, &failed) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", name, err, test.is)
		}
		for _, word := range test.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v does not say %q", name, err, word)
			}
		}
	}
	if _, err := s.Run(t.Context(), Command{Argv: []string{"true"}}); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

func TestInputAndOutput(t *testing.T) {
	s := start(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("some input\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(c Command) Exit {
		t.Helper()
		exit, err := s.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return exit
	}
	copying := Command{Argv: []string{"cat"}, Stdin: in, Stdout: Output{Kind: File, Path: out}}
	for range 2 {
		run(copying)
	}
	if got, _ := os.ReadFile(out); string(got) != "some input\n" {
		t.Errorf("file, emptied before every run: %q", got)
	}
	copying.Stdout.Append = true
	run(copying)
	if got, _ := os.ReadFile(out); string(got) != "some input\nsome input\n" {
		t.Errorf("file, continued: %q", got)
	}
	nothing := run(Command{Argv: []string{"cat"}, Stdout: Output{Kind: Head, Limit: 10}})
	if len(nothing.Stdout) != 0 || nothing.StdoutCut {
		t.Errorf("no input: %+v", nothing)
	}
	both := shell("echo out; echo err >&2")
	both.Stdout, both.Stderr = Output{Kind: Head, Limit: 100}, Output{Kind: Tail, Limit: 100}
	exit := run(both)
	if string(exit.Stdout) != "out\n" || string(exit.Stderr) != "err\n" || exit.StdoutCut || exit.StderrCut {
		t.Errorf("both: %+v %q %q", exit, exit.Stdout, exit.Stderr)
	}
	both.Stdout, both.Stderr = Output{Kind: Head, Limit: 2}, Output{Kind: Tail, Limit: 2}
	exit = run(both)
	if string(exit.Stdout) != "ou" || string(exit.Stderr) != "r\n" || !exit.StdoutCut || !exit.StderrCut {
		t.Errorf("both, cut: %+v %q %q", exit, exit.Stdout, exit.Stderr)
	}
	kind := shell("test -p /dev/stdout && exit 3; test -c /dev/stdout && exit 4")
	if exit := run(kind); exit.Code != 4 {
		t.Errorf("nowhere: %v", exit)
	}
	kind.Stdout.Kind = Pipe
	if exit := run(kind); exit.Code != 3 {
		t.Errorf("pipe: %v", exit)
	}
}

func TestMuchOutputFillsNoMemory(t *testing.T) {
	s := start(t)
	c := shell("yes | head -c 200000000; echo; echo the end; yes no | head -c 1000000 >&2; echo >&2; echo last >&2")
	c.Stdout, c.Stderr = Output{Kind: Head, Limit: 1000}, Output{Kind: Tail, Limit: 1000}
	exit, err := s.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(exit.Stdout) != 1000 || !exit.StdoutCut || !bytes.HasPrefix(exit.Stdout, []byte("y\ny\n")) {
		t.Errorf("%d bytes, cut: %v", len(exit.Stdout), exit.StdoutCut)
	}
	if len(exit.Stderr) != 1000 || !exit.StderrCut || !bytes.HasSuffix(exit.Stderr, []byte("\nlast\n")) {
		t.Errorf("%d bytes, cut: %v", len(exit.Stderr), exit.StderrCut)
	}
	c.Stdout.Kind = Pipe
	if exit, err = s.Run(t.Context(), c); err != nil || exit.Code != 0 || len(exit.Stdout) != 0 || exit.StdoutCut {
		t.Errorf("pipe: %v, %v", exit, err)
	}
	after, err := s.Run(t.Context(), Command{Argv: []string{"true"}})
	if err != nil {
		t.Fatal(err)
	}
	if floor := after.Usage.MemoryFloor; runningOnLinux && !withRaceDetector && floor > 8<<20 {
		t.Errorf("the spawner has come to use %d bytes", floor)
	}
}

func TestTimeout(t *testing.T) {
	s := start(t)
	for _, test := range []struct {
		line         string
		code, signal int
		least, most  time.Duration
	}{
		{"sleep 1000", 143, 15, 100 * time.Millisecond, 5 * time.Second},
		{"trap 'exit 5' TERM; sleep 1000 & wait", 5, 0, 100 * time.Millisecond, 5 * time.Second},
		{"trap '' TERM; sleep 1000; sleep 1000", 137, 9, 400 * time.Millisecond, 5 * time.Second},
		{"kill -STOP $$", 143, 15, 100 * time.Millisecond, 5 * time.Second},
	} {
		c := shell(test.line)
		c.Timeout, c.Grace = 100*time.Millisecond, 300*time.Millisecond
		exit, err := s.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if !exit.TimedOut || exit.Code != test.code || exit.Signal != test.signal || exit.Success() {
			t.Errorf("%s: %+v, code %d", test.line, exit, exit.Code)
		}
		if exit.Usage.Wall < test.least || exit.Usage.Wall > test.most {
			t.Errorf("%s: took %v", test.line, exit.Usage.Wall)
		}
		if !strings.Contains(exit.String(), "timed out") {
			t.Errorf("%s: says %v", test.line, exit)
		}
	}
	quick := shell("exit 0")
	quick.Timeout = time.Minute
	if exit, err := s.Run(t.Context(), quick); err != nil || exit.TimedOut {
		t.Errorf("in time: %v, %v", exit, err)
	}
}

func TestCancellation(t *testing.T) {
	s := start(t)
	for _, line := range []string{"sleep 1000", "trap '' TERM; sleep 1000; sleep 1000; sleep 1000"} {
		reason := errors.New("the user has had enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(100*time.Millisecond, func() { cancel(reason) })
		begun := time.Now()
		_, err := s.Run(ctx, shell(line))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
			t.Errorf("%s: %v", line, err)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s: ended after %v", line, took)
		}
		if _, err := s.Run(ctx, shell("exit 0")); !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: %v", err)
		}
		if exit, err := s.Run(t.Context(), shell("exit 3")); err != nil || exit.Code != 3 {
			t.Errorf("the next command: %v, %v", exit, err)
		}
	}
}

func TestUsage(t *testing.T) {
	s := start(t)
	idle, err := s.Run(t.Context(), shell("sleep 0.2"))
	if err != nil {
		t.Fatal(err)
	}
	busy, err := s.Run(t.Context(), shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"))
	if err != nil {
		t.Fatal(err)
	}
	if idle.Usage.Wall < 200*time.Millisecond || idle.Usage.CPU() > idle.Usage.Wall/2 {
		t.Errorf("idle: %+v", idle.Usage)
	}
	if busy.Usage.CPU() < 20*time.Millisecond || busy.Usage.CPU() > busy.Usage.Wall+busy.Usage.Wall/10 {
		t.Errorf("busy: %+v", busy.Usage)
	}
	if u := busy.Usage; u.MinorFaults <= 0 || u.MajorFaults < 0 || u.VoluntarySwitches < 0 || u.InvoluntarySwitches < 0 || u.PeakMemory <= 0 || u.MemoryFloor <= 0 {
		t.Errorf("counts: %+v", u)
	}
	if u := unknownUsage(); u.CPU() != Unknown || u.AtFloor() {
		t.Errorf("unknown: %v %v", u.CPU(), u.AtFloor())
	}
}

func TestClose(t *testing.T) {
	s, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() {
		_, err := s.Run(context.Background(), shell("sleep 1000"))
		result <- err
	}()
	time.Sleep(200 * time.Millisecond)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-result; !errors.Is(err, ErrClosed) {
		t.Errorf("the command that ran: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if _, err := s.Run(t.Context(), shell("exit 0")); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}
