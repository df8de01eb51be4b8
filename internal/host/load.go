package host

import (
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// Load is what else the machine was doing at one moment. Counters count since
// some moment in the past: only their difference between two Loads says
// something.
type Load struct {
	// Taken is when this was read, on clock.Now. It only serves to tell how
	// long two Loads are apart.
	Taken time.Duration `json:"taken_nanoseconds"`
	// LoadAverage is the mean number of runnable tasks over the last minute;
	// -1 if unknown.
	LoadAverage float64 `json:"load_average"`
	// PressureCPU is the share of the last ten seconds, in percent, in which
	// some task waited for a CPU; -1 if unknown.
	PressureCPU float64 `json:"pressure_cpu"`
	// Stalled is the total time in which some task waited for a CPU. It covers
	// the whole of a run where PressureCPU sees the end of it.
	Stalled time.Duration `json:"stalled_nanoseconds"`
	// Steal and Ticks count clock ticks over all CPUs: those in which another
	// virtual machine ran instead of this one, and all of them.
	Steal uint64 `json:"steal_ticks"`
	Ticks uint64 `json:"ticks"`
	// Throttled counts the periods in which a control group's CPU quota was
	// used up.
	Throttled uint64 `json:"throttled"`
	// Overheated counts how often a core was slowed down because it was hot.
	Overheated uint64 `json:"overheated"`
}

// Load reads the machine's load. It never fails and takes well under a
// millisecond on small machines; it is no part of a timed stretch.
func (fs FS) Load() Load {
	load := Load{
		Taken:       clock.Now(),
		LoadAverage: parseLoadAverage(fs.text("proc/loadavg")),
		Throttled:   fs.throttled(),
	}
	load.PressureCPU, load.Stalled = parsePressure(fs.text("proc/pressure/cpu"))
	load.Steal, load.Ticks = parseTicks(fs.text("proc/stat"))
	for _, name := range fs.glob("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count") {
		if n, ok := fs.number(name); ok && n > 0 {
			load.Overheated += uint64(n)
		}
	}
	return load
}

// parseLoadAverage returns the first number of /proc/loadavg, or -1.
func parseLoadAverage(text string) float64 {
	first, _, _ := strings.Cut(text, " ")
	average, err := strconv.ParseFloat(first, 64)
	if err != nil || average < 0 {
		return -1
	}
	return average
}

// parsePressure reads the line of /proc/pressure/cpu that counts time in which
// some task waited. Without it the share is -1.
func parsePressure(text string) (avg10 float64, total time.Duration) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "some" {
			continue
		}
		avg10 = -1
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "avg10":
				if share, err := strconv.ParseFloat(value, 64); err == nil {
					avg10 = share
				}
			case "total":
				if micros, err := strconv.ParseInt(value, 10, 64); err == nil {
					total = time.Duration(micros) * time.Microsecond
				}
			}
		}
		return avg10, total
	}
	return -1, 0
}

// parseTicks reads the first line of /proc/stat, which sums over all CPUs. The
// eighth number is steal; the two after it are guests, which the first two
// contain already.
func parseTicks(text string) (steal, all uint64) {
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(line)
	if len(words) < 9 || words[0] != "cpu" {
		return 0, 0
	}
	for i, word := range words[1:9] {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return 0, 0
		}
		all += n
		if i == 7 {
			steal = n
		}
	}
	return steal, all
}
