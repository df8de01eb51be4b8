package gobench

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// AllowedProcessors lists the processors that this process may run on, which its
// children inherit. It is empty where that cannot be told.
func AllowedProcessors() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

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
