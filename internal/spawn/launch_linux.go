package spawn

import (
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// launch executes the program with one end of a socket as its standard input,
// so that all further files that this process has inherited reach the commands
// as they would without a spawner between.
func launch(executable string) (*helper, error) {
	if executable == "" {
		// This name still leads to the program after it was moved or replaced.
		executable = "/proc/self/exe"
		if _, err := os.Stat(executable); err != nil {
			if executable, err = os.Executable(); err != nil {
				return nil, err
			}
		}
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "spawner")
	defer func() { _ = theirs.Close() }()
	if err := unix.SetNonblock(pair[0], true); err != nil {
		_ = unix.Close(pair[0])
		return nil, err
	}
	ours := os.NewFile(uintptr(pair[0]), "spawner")
	raw, err := ours.SyscallConn()
	if err != nil {
		_ = ours.Close()
		return nil, err
	}
	var diary [2]int
	if err := unix.Pipe2(diary[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		_ = ours.Close()
		return nil, err
	}
	process, err := os.StartProcess(executable, []string{role}, &os.ProcAttr{
		Env:   spawnerEnvironment(os.Environ()),
		Files: []*os.File{theirs, os.Stdout, os.Stderr},
		// Ctrl-C on a terminal is for this process, which then ends the commands.
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		_ = ours.Close()
		closeAll(diary[:])
		return nil, err
	}
	h := &helper{process: process, socket: ours, raw: raw, diary: make(chan int, 1), entries: diary[1], turn: make(chan struct{}, 1), gone: make(chan struct{})}
	h.diary <- diary[0]
	go h.watch()
	return h, nil
}

// spawnerEnvironment is the environment of the spawner itself: a Go program that
// is left alone by its scheduler and collects garbage only when told to. Commands do not see it.
func spawnerEnvironment(env []string) []string {
	settings := []string{"GOMAXPROCS=2", "GOGC=off", "GODEBUG=disablethp=1,asyncpreemptoff=1"}
	var own []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if _, set := variable(settings, name); !set && name != "GOMEMLIMIT" {
			own = append(own, entry)
		}
	}
	return append(own, settings...)
}
