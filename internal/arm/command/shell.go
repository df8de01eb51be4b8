package command

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// MeasureShell measures what a shell takes for an empty line: the medians of the
// given number of runs, at least one. shell is as in [Program]. Processor time
// is [spawn.Unknown] where it cannot be read.
func MeasureShell(ctx context.Context, runner Runner, shell []string, runs int) (wall, cpu time.Duration, err error) {
	empty := Program{Shell: shell}
	var walls, cpus []time.Duration
	for range max(1, runs) {
		exit, err := runner.Run(ctx, spawn.Command{Argv: empty.argv(), Stderr: errorOutput(spawn.Output{})})
		if err != nil {
			return 0, 0, fmt.Errorf("measuring the start of the shell: %w", err)
		}
		if !exit.Success() {
			return 0, 0, fmt.Errorf("measuring the start of the shell: %q with an empty line ended with %v; choose another with --shell, or none", shell, exit)
		}
		walls, cpus = append(walls, exit.Usage.Wall), append(cpus, exit.Usage.CPU())
	}
	return median(walls), median(cpus), nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	n := len(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}
