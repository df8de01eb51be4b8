package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rtcompare/rtcompare/internal/arm/gobench"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/source"
)

// The sides of a comparison.
const (
	base = iota
	changed
)

// run is the state of one comparison.
type run struct {
	options  Options
	env      Environment
	store    *source.Store
	builder  *gobuild.Builder
	driver   gobuild.Driver
	result   Result
	packages map[string]*pack
	rows     []*rowRun
	order    *order.Sequence
}

// pack is one package in both versions.
type pack struct {
	at        [2]gobuild.Package
	has       [2]bool
	keepPaths bool
	found     [2]map[string]gobuild.Found
}

// rowRun is a row with what measures it.
type rowRun struct {
	*Row
	sides   [2]*gobench.Benchmark
	n       int64
	nsPerOp [2]float64
	pack    *pack
	// counted is set when stretch is known: how many batches hold enough garbage
	// collections, 0 where there are none.
	counted bool
	stretch int
	// starting is what starting and ending its processes takes.
	starting time.Duration
}

// Run compares the benchmarks of two versions. What was measured is in the
// result also when it ends with an error.
func Run(ctx context.Context, o Options, env Environment) (Result, error) {
	r := &run{options: o, env: env, packages: map[string]*pack{},
		order: order.New(order.Blocks, rand.New(rand.NewPCG(o.Seed, 2)))}
	r.store = &source.Store{Dir: o.Dir, Cache: filepath.Join(o.Cache, "sources"), Env: o.Env, Go: o.Go, Prepare: o.Prepare}
	r.result.SuiteRatio, r.result.SuiteLow, r.result.SuiteHigh = math.NaN(), math.NaN(), math.NaN()
	err := r.all(ctx)
	return r.result, err
}

func (r *run) all(ctx context.Context) error {
	began := r.env.Now()
	for _, step := range []func(context.Context) error{r.versions, r.discover, r.unchanged, r.probe, r.build} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	r.result.Built = r.env.Now() - began
	if err := r.screen(ctx); err != nil {
		return err
	}
	if err := r.judge(ctx); err != nil {
		return err
	}
	var err error
	r.result.SourcesChanged, err = r.store.Changed(ctx, r.result.Versions[changed])
	return err
}

func (r *run) watch(stage, what string, done, total int) {
	if r.env.Watch != nil {
		r.env.Watch(Progress{Stage: stage, Done: done, Total: total, What: what})
	}
}

// versions makes both versions and finds one toolchain for them.
func (r *run) versions(ctx context.Context) error {
	var toolchains []gobuild.Toolchain
	for side, spec := range []source.Spec{r.options.Base, r.options.New} {
		r.watch(StageSources, spec.String(), side, 2)
		version, err := r.store.Get(ctx, spec)
		if err != nil {
			return err
		}
		r.result.Versions[side] = version
		found, err := gobuild.FindToolchain(ctx, r.options.Go, version.Dir, r.options.Env, r.options.Toolchain, filepath.Join(r.options.Cache, "toolchains"))
		if err != nil {
			return fmt.Errorf("%s: %w", version.Name, err)
		}
		toolchains = append(toolchains, found)
	}
	r.result.Toolchain = gobuild.Newest(toolchains...)
	r.builder = &gobuild.Builder{Toolchain: r.result.Toolchain, Flags: r.options.BuildFlags, Cache: filepath.Join(r.options.Cache, "binaries")}
	var err error
	r.driver, r.result.Reason, err = r.builder.Driver(ctx)
	r.result.Driver = r.driver
	return err
}

// discover lists the packages of both versions and their benchmarks.
func (r *run) discover(ctx context.Context) error {
	for side, version := range r.result.Versions {
		packages, problems, err := r.builder.Packages(ctx, version, r.options.Packages...)
		if err != nil {
			return fmt.Errorf("%s: %w", version.Name, err)
		}
		r.result.BuildFailures = append(r.result.BuildFailures, problems...)
		for _, p := range packages {
			known := r.packages[p.ImportPath]
			if known == nil {
				known = &pack{}
				r.packages[p.ImportPath] = known
			}
			known.at[side], known.has[side] = p, true
		}
	}
	paths := r.paths()
	if len(paths) == 0 {
		return fmt.Errorf("no package with tests matches %v", r.options.Packages)
	}
	for i, path := range paths {
		for side := range r.result.Versions {
			if !r.packages[path].has[side] {
				continue
			}
			r.watch(StageBuilding, path, 2*i+side, 2*len(paths))
			if err := r.discoverSide(ctx, r.packages[path], side); err != nil {
				return err
			}
		}
		r.match(path)
	}
	return nil
}

func (r *run) paths() []string {
	var paths []string
	for path := range r.packages {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

func (r *run) request(p *pack, side, layout int, driver gobuild.Driver) gobuild.Request {
	return gobuild.Request{Version: r.result.Versions[side], Package: p.at[side], Layout: layout, Driver: driver, KeepPaths: p.keepPaths}
}

func (r *run) discoverSide(ctx context.Context, p *pack, side int) error {
	listing := gobuild.Listing{Pattern: r.options.Pattern, Env: r.options.Env, Processors: r.options.Processors, Args: r.options.BinaryFlags}
	found, err := r.builder.Discover(ctx, r.request(p, side, 0, r.driver), listing)
	var failed *gobuild.BuildError
	switch {
	case errors.Is(err, gobuild.ErrNoTests):
		p.has[side] = false
		return nil
	case errors.As(err, &failed):
		p.has[side] = false
		r.result.BuildFailures = append(r.result.BuildFailures, err)
		return nil
	case err != nil:
		return err
	}
	p.keepPaths = p.keepPaths || found.KeepPaths
	p.found[side] = map[string]gobuild.Found{}
	for _, f := range found.Found {
		p.found[side][f.Name] = f
	}
	for _, n := range found.NotRun {
		r.result.Missing = append(r.result.Missing, Missing{Package: n.Package, Name: n.Name, Side: side, Reason: n.Reason, Skipped: n.Skipped})
	}
	return nil
}

// match makes rows of the benchmarks that both versions have.
func (r *run) match(path string) {
	p := r.packages[path]
	names := map[string]bool{}
	for side := range p.found {
		for name := range p.found[side] {
			names[name] = true
		}
	}
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		_, inBase := p.found[base][name]
		_, inNew := p.found[changed][name]
		switch {
		case inBase && inNew:
			r.rows = append(r.rows, r.newRow(p, path, name))
		case inBase && !r.known(path, name, changed):
			r.result.Missing = append(r.result.Missing, Missing{Package: path, Name: name, Side: base})
		case inNew && !r.known(path, name, base):
			r.result.Missing = append(r.result.Missing, Missing{Package: path, Name: name, Side: changed})
		}
	}
}

// known reports whether something was said already about a benchmark.
func (r *run) known(path, name string, side int) bool {
	return slices.ContainsFunc(r.result.Missing, func(m Missing) bool { return m.Package == path && m.Name == name && m.Side == side })
}

func (r *run) newRow(p *pack, path, name string) *rowRun {
	row := &rowRun{Row: &Row{Package: p.at[changed], Name: name, Leaked: [2]int{-1, -1}, Bytes: [2]float64{-1, -1}, Allocs: [2]float64{-1, -1}}, pack: p}
	placing := &gobench.Placement{CPUs: gobench.AllowedProcessors()}
	for side := range row.sides {
		row.sides[side] = &gobench.Benchmark{
			Name: name, Version: r.result.Versions[side].Name, Driver: r.driver, Env: r.options.Env, Processors: r.options.Processors,
			Args: r.options.BinaryFlags, Placement: placing,
			Binary: func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error) {
				return r.builder.Build(ctx, r.request(p, side, layout, driver))
			},
		}
	}
	return row
}

// unchanged finds the packages in which nothing has changed; their rows are
// answered without measuring.
func (r *run) unchanged(ctx context.Context) error {
	r.result.Sizes, r.result.Benchmarks = map[string][2]int64{}, len(r.rows)
	for _, path := range r.paths() {
		p := r.packages[path]
		if !p.has[base] || !p.has[changed] {
			continue
		}
		var sides [2]gobuild.Side
		for side := range sides {
			binary, err := r.builder.Build(ctx, r.request(p, side, 0, gobuild.Processes))
			if err != nil {
				return err
			}
			sides[side] = gobuild.Side{Version: r.result.Versions[side], Binary: binary, Env: r.options.Env, Args: r.options.BinaryFlags}
		}
		r.result.Sizes[path] = [2]int64{sides[base].Binary.TextSize, sides[changed].Binary.TextSize}
		if sides[base].Binary.Info != nil && sides[changed].Binary.Info != nil {
			for _, d := range gobuild.BuildDifferences(sides[base].Binary.Info, sides[changed].Binary.Info) {
				if !slices.Contains(r.result.Differences, d) {
					r.result.Differences = append(r.result.Differences, d)
				}
			}
		}
		difference, err := gobuild.Difference(sides[base], sides[changed])
		if err != nil {
			return err
		}
		if difference == "" && !r.options.Unchanged {
			r.result.Unchanged = append(r.result.Unchanged, path)
			r.rows = slices.DeleteFunc(r.rows, func(row *rowRun) bool { return row.pack == p })
		}
	}
	return nil
}

// build builds the layouts that the plan needs, two at a time: the linker keeps
// one processor busy.
func (r *run) build(ctx context.Context) error {
	r.result.Plan = planFor(len(r.live()), r.startTime(), r.options)
	type job struct {
		p                   *pack
		side, stage, number int
		driver              gobuild.Driver
	}
	var jobs []job
	seen := map[job]bool{}
	for _, row := range r.live() {
		for stage, count := range []int{r.result.Plan.ScreenLayouts, r.result.Plan.Layouts} {
			for index := range r.layoutsOf(count) {
				for side := range row.sides {
					j := job{row.pack, side, stage, index, row.Driver}
					if !seen[j] {
						seen[j] = true
						jobs = append(jobs, j)
					}
				}
			}
		}
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var first error
	done := 0
	queue := make(chan job)
	for range 2 {
		wait.Go(func() {
			for j := range queue {
				_, err := r.builder.Build(ctx, r.request(j.p, j.side, r.layout(j.side, j.stage, j.number), j.driver))
				mu.Lock()
				done++
				r.watch(StageBuilding, "code layouts", done, len(jobs))
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		if ctx.Err() != nil {
			break
		}
		queue <- j
	}
	close(queue)
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return first
}

// startTime is what starting the processes of a row takes, on average.
func (r *run) startTime() time.Duration {
	rows := r.live()
	total := time.Duration(0)
	for _, row := range rows {
		total += row.starting
	}
	return total / time.Duration(max(1, len(rows)))
}

// layoutsOf is how many layouts there are where the linker can make any.
func (r *run) layoutsOf(count int) int {
	if !r.result.Toolchain.Layouts {
		return min(count, 1)
	}
	return count
}

func (r *run) layout(side, stage, index int) int {
	if !r.result.Toolchain.Layouts {
		return 0
	}
	return layoutNumber(r.options.Seed, side, stage, index)
}

// live are the rows that have not failed.
func (r *run) live() []*rowRun {
	var live []*rowRun
	for _, row := range r.rows {
		if row.Failed == nil {
			live = append(live, row)
		}
	}
	return live
}

func (r *run) keep(u record.Unit) error {
	r.result.Units = append(r.result.Units, u)
	if r.env.Keep == nil {
		return nil
	}
	return r.env.Keep(u)
}
