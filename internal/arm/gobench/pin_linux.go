package gobench

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// mostPasses bounds how often the threads of a process are listed: it may start
// one while they are moved.
const mostPasses = 10

// pin puts all threads of a process onto processors. Threads that come later
// inherit that.
func pin(pid int, cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	done := map[int]bool{}
	for range mostPasses {
		threads, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		if err != nil {
			return nil // the process is gone, which the next order will tell
		}
		fresh := false
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil || done[id] {
				continue
			}
			done[id], fresh = true, true
			if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("could not be put onto processors %v: %w", cpus, err)
			}
		}
		if !fresh {
			break
		}
	}
	return nil
}
