package command

import (
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// delayShare is the share of a run's time from which waiting for a processor
// counts as having lost it.
const delayShare = 0.01

// total adds up the runs of one visit.
type total struct {
	runs      int64
	wall, cpu time.Duration
	// shell and shellCPU are what was subtracted of them.
	shell, shellCPU time.Duration
	noCPU           bool
	preempted       int
	exitCode        int
	memory          float64
	sums            []engine.Extra
	extracted       map[string]float64
	order           []string
}

// add adds one run.
func (t *total) add(spec *Spec, exit spawn.Exit, extracted []engine.Extra) {
	u := exit.Usage
	t.runs++
	if exit.TimedOut {
		// It was ended, so it took at least this long.
		t.wall += spec.Timeout
	} else {
		wall, subtracted := without(u.Wall, spec.Overhead.Wall)
		t.wall, t.shell = t.wall+wall, t.shell+subtracted
	}
	if cpu := u.CPU(); cpu < 0 {
		t.noCPU = true
	} else {
		cpu, subtracted := without(cpu, spec.Overhead.CPU)
		t.cpu, t.shellCPU = t.cpu+cpu, t.shellCPU+subtracted
	}
	switch {
	case u.RunDelay < 0:
		t.preempted = -1
	case t.preempted >= 0 && float64(u.RunDelay) > delayShare*float64(u.Wall):
		t.preempted = 1
	}
	if exit.Code != 0 {
		t.exitCode = exit.Code
	}
	t.memory = max(t.memory, known(u.PeakMemory))
	t.sum([]engine.Extra{
		{Metric: User, Value: known(int64(u.User))}, {Metric: System, Value: known(int64(u.System))},
		{Metric: MinorFaults, Value: known(u.MinorFaults)}, {Metric: MajorFaults, Value: known(u.MajorFaults)},
		{Metric: VoluntarySwitches, Value: known(u.VoluntarySwitches)}, {Metric: InvoluntarySwitches, Value: known(u.InvoluntarySwitches)},
		{Metric: RunDelay, Value: known(int64(u.RunDelay))},
		{Metric: ReadBytes, Value: known(u.ReadBytes)}, {Metric: WrittenBytes, Value: known(u.WrittenBytes)},
	})
	t.extract(spec, extracted)
}

// without subtracts an overhead from a time, but leaves a nanosecond of it: a
// time of nothing has no logarithm.
func without(measured, overhead time.Duration) (rest, subtracted time.Duration) {
	if overhead <= 0 {
		return measured, 0
	}
	rest = max(1, measured-overhead)
	return rest, measured - rest
}

// known is a figure, or not a number if it is unknown.
func known(v int64) float64 {
	if v < 0 {
		return math.NaN()
	}
	return float64(v)
}

func (t *total) sum(values []engine.Extra) {
	if t.sums == nil {
		t.sums = values
		return
	}
	for i := range values {
		t.sums[i].Value += values[i].Value
	}
}

// extract adds what was found in the output of a run. A described metric that
// was not found is not a number.
func (t *total) extract(spec *Spec, extracted []engine.Extra) {
	if t.extracted == nil {
		t.extracted = map[string]float64{}
	}
	found := map[string]float64{}
	for _, metric := range spec.Extracted {
		found[metric.Name] = math.NaN()
		t.remember(metric.Name)
	}
	for _, extra := range extracted {
		found[extra.Metric] = extra.Value
		t.remember(extra.Metric)
	}
	for name, value := range found {
		t.extracted[name] += value
	}
}

// remember keeps the metrics in the order in which they came.
func (t *total) remember(name string) {
	if _, seen := t.extracted[name]; !seen {
		t.extracted[name] = 0
		t.order = append(t.order, name)
	}
}

// store turns the total into a sample.
func (t *total) store(spec *Spec, sample *engine.Sample) {
	sample.Wall, sample.CPU, sample.Preempted = int64(t.wall), int64(t.cpu), t.preempted
	if t.noCPU {
		sample.CPU = -1
	}
	mean := func(sum float64) float64 { return sum / float64(t.runs) }
	sample.Extra = sample.Extra[:0]
	add := func(metric string, value float64) {
		sample.Extra = append(sample.Extra, engine.Extra{Metric: metric, Value: value})
	}
	for _, sum := range t.sums {
		add(sum.Metric, mean(sum.Value))
	}
	add(Memory, t.memory)
	add(ExitCode, float64(t.exitCode))
	if spec.Overhead != (Overhead{}) {
		add(Shell, mean(float64(t.shell)))
		add(ShellCPU, mean(float64(t.shellCPU)))
	}
	for _, name := range t.order {
		add(name, mean(t.extracted[name]))
	}
}
