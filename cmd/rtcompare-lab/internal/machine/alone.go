package machine

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// AloneCommand is the hidden sub-command that measures one candidate in a
// process of its own.
const AloneCommand = "alone"

const (
	// DefaultSlice is how long a candidate is measured alone at a time: long
	// enough for several collections, and short enough for many slices.
	DefaultSlice = 50 * time.Millisecond
	// processSlice is the same where every slice is a process of its own.
	processSlice = 250 * time.Millisecond
)

// RunAlone measures one side of an adversarial pair by a plain loop, as a
// benchmark would: nothing else runs, and collections are a part of the time. It
// prints nanoseconds per operation.
func RunAlone(out io.Writer, number, which int, seed uint64, duration time.Duration) error {
	pairs := adversarial()
	if number < 0 || number >= len(pairs) || which < 0 || which > 1 {
		return fmt.Errorf("there is no side %d of pair %d", which, number)
	}
	batch := pairs[number].sides[which].build(rand.New(rand.NewPCG(seed, uint64(which))))
	_, err := fmt.Fprintln(out, loopAlone(batch, duration))
	return err
}

// loopAlone runs for a tenth of the duration unmeasured, then for all of it.
func loopAlone(batch rtcompare.Batch, duration time.Duration) float64 {
	n := uint64(1)
	for took := time.Duration(0); took < time.Millisecond && n < 1<<40; n *= 2 {
		start := time.Now()
		batch(n)
		took = time.Since(start)
	}
	for start := time.Now(); time.Since(start) < duration/10; {
		batch(n)
	}
	runtime.GC()
	operations := uint64(0)
	start := time.Now()
	for time.Since(start) < duration {
		batch(n)
		operations += n
	}
	return float64(time.Since(start)) / float64(operations)
}

// slicesAlone holds the times per operation of both sides, slice by slice.
type slicesAlone [2][]float64

// ratio is the median time of B over that of A.
func (t slicesAlone) ratio() float64 { return stat.Median(t[1]) / stat.Median(t[0]) }

// interval is the median of ln(B/A) over slices next to each other, with the
// 95 % rank interval of that. It is unbounded where slices are few.
func (t slicesAlone) interval() (ratio, low, high float64) {
	logs := make([]float64, min(len(t[0]), len(t[1])))
	for i := range logs {
		logs[i] = math.Log(t[1][i]) - math.Log(t[0][i])
	}
	slices.Sort(logs)
	low, high = stat.SignTestInterval(logs, 0.95)
	return stat.MedianSorted(logs), low, high
}

// turns calls measure for slices of both sides in turn, A B B A.
func turns(total, slice time.Duration, measure func(which, round int) (float64, error)) (t slicesAlone, err error) {
	for round := range max(1, int(math.Round(float64(total)/float64(2*slice)))) {
		for position := range 2 {
			which := (position + round) % 2
			ns, err := measure(which, round)
			if err != nil {
				return t, err
			}
			t[which] = append(t[which], ns)
		}
	}
	return t, nil
}

// ownProcesses measures each slice in a process of its own.
func (s Setup) ownProcesses(number int, total time.Duration) (slicesAlone, error) {
	program, err := os.Executable()
	if err != nil {
		return slicesAlone{}, fmt.Errorf("finding this program to run candidates alone: %w", err)
	}
	return turns(total, processSlice, func(which, round int) (float64, error) {
		child := exec.CommandContext(s.Context, program, AloneCommand,
			"-pair", strconv.Itoa(number), "-side", strconv.Itoa(which), "-for", processSlice.String(), "-seed", strconv.FormatUint(s.Seed+uint64(round), 10))
		child.Stderr = os.Stderr
		text, err := child.Output()
		if err != nil {
			return 0, fmt.Errorf("running a candidate alone: %w", err)
		}
		ns, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err != nil {
			return 0, fmt.Errorf("reading the time of a candidate alone: %w", err)
		}
		return ns, nil
	})
}

// sameInstances measures the very instances that are compared, in this
// process.
func (s Setup) sameInstances(a, b rtcompare.Batch, total, slice time.Duration) (slicesAlone, error) {
	return turns(total, slice, func(which, _ int) (float64, error) {
		if err := s.Context.Err(); err != nil {
			return 0, err
		}
		return loopAlone([2]rtcompare.Batch{a, b}[which], slice), nil
	})
}
