package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/spawn"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// smallProgram needs less memory than any process of Go.
const smallProgram = "/bin/true"

// smallReport is what the spawner reads of the small program: the median of its
// runs in bytes, and whether any of them is a bound from above.
type smallReport struct {
	Memory  float64 `json:"memory"`
	AtFloor bool    `json:"at_floor"`
}

// readSmall starts the small program through a spawner of this very process.
func readSmall(out io.Writer) error {
	ctx := context.Background()
	spawner, err := spawn.Start(ctx, spawn.Options{Now: clock.Now})
	if err != nil {
		return err
	}
	defer func() { _ = spawner.Close() }()
	var report smallReport
	var memory []float64
	for range 2 * memoryRuns {
		exit, err := spawner.Run(ctx, spawn.Command{Argv: []string{smallProgram}})
		if err != nil {
			return err
		}
		memory = append(memory, float64(exit.Usage.PeakMemory))
		report.AtFloor = report.AtFloor || exit.Usage.AtFloor()
	}
	report.Memory = stat.Median(memory)
	return json.NewEncoder(out).Encode(report)
}

// memoryRuns is how often the small program runs.
const memoryRuns = 10

// heldMegabytes are the megabytes that the parent has touched.
var heldMegabytes = []int{0, 500}

// SpawnerMemory reads the memory of a small program where the parent is small,
// and where it is large.
func SpawnerMemory(s Setup) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.buildTool(); err != nil {
		return nil, err
	}
	table := &sheet.Sheet{
		Title:   "spawner-memory: memory of " + smallProgram + " as it is read, and the floor below which nothing can be told",
		Trials:  s.Trials,
		Columns: []string{"started by", "its parent holds", "lowest, MB", "median, MB", "highest, MB", "bounds from above"},
	}
	medians := map[string][]float64{}
	for _, held := range heldMegabytes {
		for _, way := range memoryWays {
			var all []float64
			bounded := 0
			for trial := range s.Trials {
				megabytes, atFloor, err := way.read(p, held)
				if err != nil {
					return nil, err
				}
				all = append(all, megabytes)
				if atFloor {
					bounded++
				}
				s.progress(way.name, trial+1)
			}
			low, high := extremes(all)
			medians[way.name] = append(medians[way.name], stat.Median(all))
			table.Add(way.name, fmt.Sprintf("%d MB", held), megabyteText(low), megabyteText(stat.Median(all)), megabyteText(high), fmt.Sprintf("%d of %d", bounded, len(all)))
		}
	}
	for _, way := range memoryWays {
		m := medians[way.name]
		if way.bound {
			table.Bars = append(table.Bars, sheet.Bar{Name: way.name + ": floor, MB", Kind: sheet.Number, Limit: 8, Measured: m[len(m)-1], Trials: s.Trials})
		}
		table.Bars = append(table.Bars, sheet.Bar{Name: way.name + ": what a large parent changes, MB", Kind: sheet.Number, Limit: 0.5, Measured: max(m[1]-m[0], m[0]-m[1]), Trials: s.Trials})
	}
	table.Notes = []string{
		fmt.Sprintf("A program that needs less than the process that starts it cannot be told from it: then the figure is a bound from above, and shown as one. MB are 10^6 bytes. Every value is the median of %d runs.", memoryRuns),
		p.conditions(),
	}
	return table, nil
}

func megabyteText(v float64) string { return fmt.Sprintf("%.2f", v) }

// memoryWays are the ways to start the small program.
var memoryWays = []struct {
	name  string
	bound bool
	read  func(p *place, held int) (megabytes float64, atFloor bool, err error)
}{
	{"rtcompare", true, (*place).byTool},
	{"a process with a spawner", false, (*place).bySpawner},
}

// byTool starts rtcompare by a parent that holds memory.
func (p *place) byTool(held int) (megabytes float64, atFloor bool, err error) {
	text, err := p.holding(held, p.tool, "cmd", "--runs", strconv.Itoa(memoryRuns), "--json", "--no-record", smallProgram, smallProgram)
	if err != nil {
		return 0, false, err
	}
	var read struct {
		Results []struct {
			Counts map[string]int64
			Series map[string]struct{ Median float64 }
		} `json:"results"`
	}
	if err := json.Unmarshal(text, &read); err != nil || len(read.Results) != 2 {
		return 0, false, fmt.Errorf("reading what rtcompare printed: %w", err)
	}
	first := read.Results[0]
	return first.Series[command.Memory].Median / 1e6, first.Counts[command.MemoryAtFloor] > 0, nil
}

// bySpawner starts the small program from a process that itself holds memory.
func (p *place) bySpawner(held int) (megabytes float64, atFloor bool, err error) {
	text, err := p.holding(held)
	if err != nil {
		return 0, false, err
	}
	var read smallReport
	if err := json.Unmarshal(text, &read); err != nil {
		return 0, false, fmt.Errorf("reading what a spawner has read: %w", err)
	}
	return read.Memory / 1e6, read.AtFloor, nil
}

// holding starts a process of this program that holds memory, with a command to
// run.
func (p *place) holding(megabytes int, command ...string) ([]byte, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program to hold memory: %w", err)
	}
	argv := []string{program, ChildCommand, "-role", roleHolding, "-megabytes", strconv.Itoa(megabytes)}
	for _, word := range command {
		argv = append(argv, "-word", word)
	}
	exit, err := p.run(argv)
	return exit.Stdout, err
}
