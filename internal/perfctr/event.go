package perfctr

// Event is something that can be counted. It is comparable; the zero value is
// no event.
type Event struct {
	// Name is the name that the perf tools use, such as "branch-misses".
	Name string
	// kind and config are what the kernel knows the event by: the fields type
	// and config of struct perf_event_attr in linux/perf_event.h.
	kind, config uint64
	// inKernel is set for events that only ever happen inside the kernel, so
	// that counting user space alone would always give 0.
	inKernel bool
	// family is the group that the event is counted in.
	family family
}

// family names the events that are counted at the same moments, because their
// ratios are of interest. A family fits the four counters that even small
// processors have.
type family int

const (
	execution family = iota
	lastLevelCache
	firstLevelCache
	software
)

// The kernel's types of events: PERF_TYPE_HARDWARE, _SOFTWARE and _HW_CACHE.
const (
	kindHardware = 0
	kindSoftware = 1
	kindCache    = 3
)

// level1Read is the first-level data cache, read: PERF_COUNT_HW_CACHE_L1D in the
// lowest byte, PERF_COUNT_HW_CACHE_OP_READ in the second. The third byte says
// access or miss.
const (
	level1Read = 0
	cacheMiss  = 1 << 16
)

// The events. Those of the processor are counted in user space only, because
// what the kernel does for a program depends on everybody else.
var (
	// Cycles are the processor's clock cycles at whatever speed it ran.
	Cycles = Event{Name: "cycles", kind: kindHardware, config: 0, family: execution}
	// Instructions are those that were completed, not those begun and discarded.
	Instructions = Event{Name: "instructions", kind: kindHardware, config: 1, family: execution}
	// Branches are completed jumps, BranchMisses those that were predicted wrongly.
	Branches     = Event{Name: "branches", kind: kindHardware, config: 4, family: execution}
	BranchMisses = Event{Name: "branch-misses", kind: kindHardware, config: 5, family: execution}
	// CacheReferences reach the last cache before memory, CacheMisses go on to
	// memory. Which cache that is depends on the processor.
	CacheReferences = Event{Name: "cache-references", kind: kindHardware, config: 2, family: lastLevelCache}
	CacheMisses     = Event{Name: "cache-misses", kind: kindHardware, config: 3, family: lastLevelCache}
	// Level1Loads are reads through the first-level data cache, Level1Misses
	// those that did not find their data there.
	Level1Loads  = Event{Name: "L1-dcache-loads", kind: kindCache, config: level1Read, family: firstLevelCache}
	Level1Misses = Event{Name: "L1-dcache-load-misses", kind: kindCache, config: level1Read | cacheMiss, family: firstLevelCache}
	// TaskClock is time on a processor in nanoseconds, in user space and in the
	// kernel.
	TaskClock = Event{Name: "task-clock", kind: kindSoftware, config: 1, family: software}
	// PageFaults are accesses to memory that the kernel had to provide first.
	PageFaults = Event{Name: "page-faults", kind: kindSoftware, config: 2, family: software}
	// ContextSwitches counts how often the processor was given to someone else,
	// Migrations how often the thread moved to another processor.
	ContextSwitches = Event{Name: "context-switches", kind: kindSoftware, config: 3, family: software, inKernel: true}
	Migrations      = Event{Name: "cpu-migrations", kind: kindSoftware, config: 4, family: software, inKernel: true}
)

// Events returns all events, in the order in which they are shown.
func Events() []Event {
	return []Event{
		Cycles, Instructions, Branches, BranchMisses, CacheReferences, CacheMisses, Level1Loads, Level1Misses,
		TaskClock, PageFaults, ContextSwitches, Migrations,
	}
}

// Find returns the event of a name.
func Find(name string) (Event, bool) {
	for _, e := range Events() {
		if e.Name == name {
			return e, true
		}
	}
	return Event{}, false
}

// Hardware tells whether the processor counts the event, not the kernel. A
// virtual machine usually has none of these.
func (e Event) Hardware() bool { return e.kind != kindSoftware }

// families sorts events into groups and keeps their order. An event that is named twice
// is counted once.
func families(events []Event) [][]Event {
	var order []family
	members := make(map[family][]Event)
	seen := make(map[Event]bool)
	for _, e := range events {
		if seen[e] {
			continue
		}
		seen[e] = true
		if members[e.family] == nil {
			order = append(order, e.family)
		}
		members[e.family] = append(members[e.family], e)
	}
	groups := make([][]Event, 0, len(order))
	for _, f := range order {
		groups = append(groups, members[f])
	}
	return groups
}
