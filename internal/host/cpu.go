package host

import (
	"slices"
	"strconv"
	"strings"
)

// cpuModel returns the processor's name from /proc/cpuinfo. Its key differs
// between architectures, and arm64 has only numbers: those are returned as they
// are, since two machines with the same numbers have the same cores.
func cpuModel(cpuinfo string) string {
	for _, key := range []string{"model name", "cpu model", "cpu", "uarch"} {
		if name := field(cpuinfo, key); name != "" {
			return name
		}
	}
	implementer, part := field(cpuinfo, "CPU implementer"), field(cpuinfo, "CPU part")
	if implementer != "" && part != "" {
		return "implementer " + implementer + " part " + part
	}
	return ""
}

// cpuCount counts the CPUs in a list such as "0-3,6". A list that cannot be
// read counts as 0.
func cpuCount(list string) int {
	if list == "" {
		return 0
	}
	count := 0
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		if err != nil || first < 0 {
			return 0
		}
		last, err := strconv.Atoi(to)
		if err != nil || last < first {
			return 0
		}
		count += last - first + 1
	}
	return count
}

// governor returns the frequency governors in use.
func (fs FS) governor() string {
	var governors []string
	for _, name := range fs.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") {
		if governor := fs.text(name); governor != "" {
			governors = append(governors, governor)
		}
	}
	slices.Sort(governors)
	return strings.Join(slices.Compact(governors), ",")
}

// turbo asks the two drivers that know. They count in opposite directions.
func (fs FS) turbo() string {
	switch fs.text("sys/devices/system/cpu/intel_pstate/no_turbo") {
	case "0":
		return "on"
	case "1":
		return "off"
	}
	return onOff(fs.text("sys/devices/system/cpu/cpufreq/boost"))
}

// virtualisation looks for the name some hypervisors leave, then for the flag
// that x86 processors show to their guests.
func (fs FS) virtualisation(cpuinfo string) string {
	if name := fs.text("sys/hypervisor/type"); name != "" {
		return name
	}
	if slices.Contains(strings.Fields(field(cpuinfo, "flags")), "hypervisor") {
		return "hypervisor"
	}
	return ""
}
