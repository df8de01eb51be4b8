package spawn

import (
	"fmt"
	"time"
)

// Unknown is the value of a figure that this system does not give.
const Unknown = -1

// Exit is how one command ended and what it cost.
type Exit struct {
	// Code is the exit code, or 128 and the number of the signal that ended the
	// command, as shells have it.
	Code int
	// Signal is the number of the signal that ended it, or 0.
	Signal int
	// TimedOut is set when the command was ended because it took too long.
	TimedOut bool
	// LeftBehind is how many processes the command left running, which were
	// ended. Outside of Linux 1 stands for any number. Those that the command
	// said to keep are not counted.
	LeftBehind int
	Usage      Usage
	// Stdout and Stderr hold what was kept of streams of the kinds Head and
	// Tail. Cut is set when there was more than the limit.
	Stdout, Stderr       []byte
	StdoutCut, StderrCut bool
}

// Success reports whether the command ended by itself with exit code 0.
func (e Exit) Success() bool { return e.Code == 0 && !e.TimedOut }

// String says how the command ended, such as "exit status 2".
func (e Exit) String() string {
	switch {
	case e.TimedOut:
		return fmt.Sprintf("timed out after %v", e.Usage.Wall.Round(time.Millisecond))
	case e.Signal != 0:
		return fmt.Sprintf("killed by signal %d (%s)", e.Signal, signalName(e.Signal))
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Usage is what one command cost. All but Wall cover the command and those of
// its descendants that have ended and been waited for; a figure that could not
// be read is [Unknown].
type Usage struct {
	// Wall is the time from just before the start to the notice of the end.
	Wall time.Duration
	// User and System are processor time. The sum is exact; many systems guess
	// the split by looking at the process some hundred times a second.
	User, System time.Duration
	// PeakMemory is the most memory, in bytes, that the command or one of its
	// descendants had in use at once.
	PeakMemory int64
	// MemoryFloor is the smallest peak, in bytes, that can be told from that of
	// the process that starts commands. See [Usage.AtFloor].
	MemoryFloor int64
	// MinorFaults and MajorFaults are accesses to memory that the kernel had to
	// provide first, without and with reading from a disk.
	MinorFaults, MajorFaults int64
	// VoluntarySwitches are waits for something; InvoluntarySwitches are times
	// when the processor was taken away.
	VoluntarySwitches, InvoluntarySwitches int64
	// RunDelay is how long the command's first thread was ready to run and
	// waited for a processor. It leaves out other threads and descendants.
	RunDelay time.Duration
	// ReadBytes and WrittenBytes passed through calls that read and write,
	// whether or not a disk was involved.
	ReadBytes, WrittenBytes int64
	// DiskReadBytes and DiskWrittenBytes are those that storage had to deliver
	// or to take.
	DiskReadBytes, DiskWrittenBytes int64
}

// unknownUsage is a Usage in which nothing is known yet.
func unknownUsage() Usage {
	return Usage{
		Wall: Unknown, User: Unknown, System: Unknown, PeakMemory: Unknown, MemoryFloor: Unknown,
		MinorFaults: Unknown, MajorFaults: Unknown, VoluntarySwitches: Unknown, InvoluntarySwitches: Unknown,
		RunDelay: Unknown, ReadBytes: Unknown, WrittenBytes: Unknown, DiskReadBytes: Unknown, DiskWrittenBytes: Unknown,
	}
}

// CPU is the sum of user and system time, or Unknown.
func (u Usage) CPU() time.Duration {
	if u.User < 0 || u.System < 0 {
		return Unknown
	}
	return u.User + u.System
}

// floorSlack is how far the kernel's two readings of one peak can lie apart: it
// counts pages per processor and adds them up later.
const floorSlack = 256 << 10

// AtFloor reports whether PeakMemory is only an upper bound: the command needed
// that much or less.
func (u Usage) AtFloor() bool {
	return u.PeakMemory >= 0 && u.MemoryFloor >= 0 && u.PeakMemory <= u.MemoryFloor+floorSlack
}
