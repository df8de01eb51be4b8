package spawn

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// shortTurn is how long this process and the spawner want a processor at a time.
// A kernel that knows it (Linux 6.12 and later) lets such a process run sooner
// when it wakes up, and gives it no more time in all; others ignore it. Between
// two commands both wake up once, and on a busy machine waiting for a processor
// is most of what the space between them takes.
const shortTurn = 100 * time.Microsecond

// takeShortTurns asks for short turns for one thread, 0 for the calling one. With
// reset set the processes that it starts get the turns that all others have.
func takeShortTurns(thread int, reset bool) {
	attributes, err := unix.SchedGetAttr(thread, 0)
	if err != nil || attributes.Policy != unix.SCHED_NORMAL || reset && attributes.Nice < 0 {
		return // resetting would also take a negative nice value away
	}
	attributes.Runtime = uint64(shortTurn)
	if reset {
		attributes.Flags |= unix.SCHED_FLAG_RESET_ON_FORK
	}
	_ = unix.SchedSetAttr(thread, attributes, 0)
}

// takeShortTurnsEverywhere does so for every thread of this process.
func takeShortTurnsEverywhere() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			takeShortTurns(id, false)
		}
	}
}
