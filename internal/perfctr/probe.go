package perfctr

import (
	"math"
	"runtime"
)

// Ability is what a machine can count.
type Ability struct {
	// Counted and Missing together hold all events, in their usual order.
	Counted []Event
	Missing []Value
	// Multiplexed is set where counting all events at once makes them take
	// turns.
	Multiplexed bool
}

// Hardware tells whether any of the processor's own counters can be read.
func (a Ability) Hardware() bool {
	for _, e := range a.Counted {
		if e.Hardware() {
			return true
		}
	}
	return false
}

// Probe finds out what can be counted here, by counting a short piece of work on
// the calling goroutine's thread. A counter that opens and stays at zero although
// it must not is missing, too: some virtual machines offer such counters. It
// takes a few milliseconds and never fails. A nil kernel is the real one.
func Probe(kernel Kernel) Ability {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counters := Open(kernel, Thread(), nil)
	defer counters.Close()
	if err := counters.Start(); err != nil {
		return silent(counters, err.Error())
	}
	work()
	reading, err := counters.Read()
	if err != nil {
		return silent(counters, err.Error())
	}
	var a Ability
	for _, v := range reading {
		if v.Missing == "" {
			v.Missing = implausible(v)
		}
		if v.Missing != "" {
			a.Missing = append(a.Missing, v)
			continue
		}
		a.Counted = append(a.Counted, v.Event)
		a.Multiplexed = a.Multiplexed || v.Multiplexed()
	}
	return a
}

// implausible says what is wrong with the count of an event that was opened, or
// "".
func implausible(v Value) string {
	switch count := v.Count(); {
	case math.IsNaN(count):
		return "the counter never ran; something else, such as the kernel's watchdog (kernel.nmi_watchdog), holds it"
	case count == 0 && (v.Event == Cycles || v.Event == Instructions || v.Event == Branches || v.Event == TaskClock || v.Event == Level1Loads):
		return "the counter can be opened but stays at zero; some virtual machines have such counters"
	}
	return ""
}

// silent is the ability of counters that could not be started or read at all.
func silent(c *Counters, why string) Ability {
	var a Ability
	for _, e := range c.events {
		v := Value{Event: e, Missing: c.missing[e]}
		if v.Missing == "" {
			v.Missing = why
		}
		a.Missing = append(a.Missing, v)
	}
	return a
}

// work is something to count: a few hundred thousand instructions with branches
// and reads.
func work() {
	numbers := make([]uint64, 1<<12)
	state := uint64(1)
	for range 50 {
		for i := range numbers {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			numbers[i] += state
			if numbers[i]&1 == 0 {
				state++
			}
		}
	}
	runtime.KeepAlive(numbers)
}
