package spawn

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What the spawner asks for itself is not what its commands get.
func TestCommandsGetOrdinaryTurns(t *testing.T) {
	s := start(t)
	spawner, err := unix.SchedGetAttr(s.measured.process.Pid, 0)
	if err != nil {
		t.Skipf("this kernel does not tell: %v", err)
	}
	if spawner.Runtime != uint64(shortTurn) {
		t.Skipf("the spawner's turns are %d ns: this kernel knows none, or the nice value is negative", spawner.Runtime)
	}
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.Run(ctx, shell("echo $$ > "+file+"; exec sleep 60"))
		ended <- err
	}()
	defer func() { cancel(); <-ended }()
	pid := pidIn(t, file)
	command, err := unix.SchedGetAttr(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	if command.Runtime == uint64(shortTurn) || command.Flags&unix.SCHED_FLAG_RESET_ON_FORK != 0 || command.Nice != spawner.Nice || command.Policy != spawner.Policy {
		t.Errorf("a command has %+v, the spawner %+v", command, spawner)
	}
}

// pidIn waits for a whole line in a file.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(file) // it is not there at first
		if line, whole := strings.CutSuffix(string(text), "\n"); whole {
			pid, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("the command does not begin")
	return 0
}
