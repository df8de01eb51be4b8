// Package perfctr counts what a processor and the kernel did for a thread or a
// process: instructions, cycles, mispredicted branches, cache misses, page
// faults. Counts of instructions hardly feel a busy machine, so they show small
// differences that times hide; they say nothing about how long a thing takes.
//
// Events are opened in groups. The kernel counts all members of a group at the
// same moments, so that ratios within a group, such as instructions per cycle,
// hold even where there are more events than counters and the groups take turns.
// Counts of such turns are scaled up to the whole time and marked.
//
// Many machines have no counters or do not let everyone read them. That is no
// failure: each event that is not there says why. Package perfctr knows nothing
// about candidates, records and words for results.
package perfctr

// Target says whose events are counted.
type Target struct {
	// PID is a process or thread; 0 is the calling thread, which then has to be
	// locked to its goroutine.
	PID int
	// Inherit also counts threads and child processes that the counted thread
	// starts after the counters were opened.
	Inherit bool
	// AllThreads counts every thread that the process has when the counters are
	// opened, not only the thread whose number is PID; a PID of 0 is then the
	// calling process. A thread that one of them starts while the counters are
	// being opened may be missed. Use it together with Inherit.
	AllThreads bool
	// OnExec starts counting when the process calls exec, for a child that waits
	// to be told. Start is not needed then.
	OnExec bool
}

// Thread is the calling thread alone. The caller has to call
// runtime.LockOSThread first and to open, start and read on that thread.
func Thread() Target { return Target{} }

// Process is all threads of a process, and what they start later; 0 is the
// calling process.
func Process(pid int) Target { return Target{PID: pid, Inherit: true, AllThreads: true} }

// Kernel is what counting needs from the operating system. A nil Kernel, where
// one is asked for, stands for the real one. Errors are syscall.Errno or wrap
// one.
type Kernel interface {
	// Open opens one event and returns its file descriptor.
	Open(Request) (fd int, err error)
	// Enable starts a group by its leader, Disable stops it.
	Enable(fd int) error
	Disable(fd int) error
	// Read reads an event's counts, or with Request.WholeGroup a group's, in
	// the kernel's binary form.
	Read(fd int, buffer []byte) (int, error)
	Close(fd int) error
	// Threads lists the threads of a process; 0 is the calling one.
	Threads(pid int) ([]int, error)
	// Paranoid returns the setting kernel.perf_event_paranoid.
	Paranoid() (level int, known bool)
}

// Request is one call of perf_event_open.
type Request struct {
	Event Event
	// Thread is the thread to count; 0 is the calling one.
	Thread int
	// Leader is the file descriptor of the group's first event, or -1 for the
	// first one itself.
	Leader int
	// WholeGroup asks for a form in which one read returns the whole group.
	WholeGroup bool
	// Inherit and OnExec are Target's.
	Inherit, OnExec bool
}
