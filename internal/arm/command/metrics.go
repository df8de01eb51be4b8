package command

import "github.com/rtcompare/rtcompare/internal/record"

// The metrics of a run beside its time and its processor time. Each is the mean
// of the runs of a visit, but for Memory, which is the largest.
const (
	// User and System are the parts of the processor time, without any
	// overhead subtracted. Most systems guess the split.
	User, System = "user", "system"
	// Memory is the most memory that was in use at once. The spawner's own
	// cannot be told from it: see MemoryAtFloor.
	Memory                                 = "memory"
	MinorFaults, MajorFaults               = "minor-faults", "major-faults"
	VoluntarySwitches, InvoluntarySwitches = "voluntary-switches", "involuntary-switches"
	// RunDelay is how long the first thread waited for a processor.
	RunDelay = "run-delay"
	// ReadBytes and WrittenBytes went through calls that read and write.
	ReadBytes, WrittenBytes = "read-bytes", "written-bytes"
	// ExitCode is the exit code, the last one other than 0 if there was one.
	ExitCode = "exit-code"
	// Shell and ShellCPU are the overhead that was subtracted from the time and
	// the processor time of a run: added to them, they give what was measured.
	Shell, ShellCPU = "shell", "shell-cpu"
)

// The counts of a unit.
const (
	// ExitPrefix and an exit code other than 0 count the runs that ended so.
	ExitPrefix = "exit "
	// TimedOut counts the runs that were ended at their timeout.
	TimedOut = "timed out"
	// LeftBehind counts processes that runs have left running.
	LeftBehind = "left behind"
	// MemoryAtFloor counts the runs whose memory is only an upper bound,
	// because it is no more than what the spawner itself has used.
	MemoryAtFloor = "memory at floor"
)

// Metrics describes what the runs of a candidate are measured for, for the head
// of a record. Memory is marked as an upper bound, since it can be one: the count
// MemoryAtFloor says in how many runs it was.
func Metrics(spec Spec) []record.Metric {
	count := func(name string) record.Metric { return record.Metric{Name: name, Better: "lower"} }
	in := func(unit, name string) record.Metric { return record.Metric{Name: name, Unit: unit, Better: "lower"} }
	memory := in("B", Memory)
	memory.UpperBound = true
	metrics := []record.Metric{
		in("ns", User), in("ns", System), memory, count(MinorFaults), count(MajorFaults),
		count(VoluntarySwitches), count(InvoluntarySwitches), in("ns", RunDelay),
		in("B", ReadBytes), in("B", WrittenBytes), {Name: ExitCode},
	}
	if spec.Overhead != (Overhead{}) {
		metrics = append(metrics, record.Metric{Name: Shell, Unit: "ns"}, record.Metric{Name: ShellCPU, Unit: "ns"})
	}
	return append(metrics, spec.Extracted...)
}
