package peers

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// burnSource is a small program that uses a processor for as many steps as its
// argument says.
const burnSource = `package main

import (
	"os"
	"strconv"
)

func main() {
	steps, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		os.Exit(1)
	}
}
`

// burner is the program and how long a step and its start take here.
type burner struct {
	path        string
	start, step float64 // nanoseconds
}

// calibrationRuns and calibrationSteps say how that is found out: by the fastest
// of so many runs, without steps and with so many.
const (
	calibrationRuns  = 30
	calibrationSteps = 4_000_000
)

// buildBurner builds the program and finds out how fast it is.
func (p *place) buildBurner() (burner, error) {
	b := burner{path: filepath.Join(p.dir, executable("burn"))}
	source := filepath.Join(p.dir, "burn.go")
	if err := os.WriteFile(source, []byte(burnSource), 0o600); err != nil {
		return b, fmt.Errorf("writing a small program: %w", err)
	}
	if _, err := p.run([]string{"go", "build", "-ldflags=-s -w", "-o", b.path, source}); err != nil {
		return b, fmt.Errorf("building a small program: %w", err)
	}
	fastest := [2]float64{math.Inf(1), math.Inf(1)}
	for range calibrationRuns {
		for i, steps := range []int{0, calibrationSteps} {
			exit, err := p.run([]string{b.path, strconv.Itoa(steps)})
			if err != nil {
				return b, err
			}
			fastest[i] = min(fastest[i], float64(exit.Usage.Wall))
		}
	}
	b.start, b.step = fastest[0], max(0.01, (fastest[1]-fastest[0])/calibrationSteps)
	return b, nil
}

// argv is the command that takes so long on an idle processor, its start
// included.
func (b burner) argv(duration time.Duration) []string {
	return []string{b.path, strconv.Itoa(int(max(0, (float64(duration)-b.start)/b.step)))}
}
