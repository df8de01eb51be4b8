package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/record"
)

// fileSides are the sides of a comparison, made from commands of the file.
type fileSides struct {
	arms             []comparison.Arm
	metrics          []record.Metric
	http             []config.HTTP
	setups, cleanups []command.Step
	extracted        []string
}

func (s *fileSides) kind() string {
	switch len(s.http) {
	case 0:
		return "commands"
	case len(s.arms):
		return "servers"
	}
	return "mixed"
}

// sliced reports whether visits are slices of requests rather than whole runs.
func (s *fileSides) sliced(method comparison.Method) bool {
	return len(s.http) == len(s.arms) && method != comparison.JZS && method != comparison.Fixed
}

func (s *fileSides) mostConcurrency() int64 {
	most := 1
	for _, h := range s.http {
		most = max(most, h.Concurrency)
	}
	return int64(most)
}

func (s *fileSides) fewestRequests() int64 {
	fewest := s.http[0].Requests
	for _, h := range s.http {
		fewest = min(fewest, h.Requests)
	}
	return int64(fewest)
}

func (s *fileSides) rate() float64 {
	lowest := s.http[0].Rate
	for _, h := range s.http {
		lowest = min(lowest, h.Rate)
	}
	return lowest
}

// otherMetrics are judged beside the one that carries the verdict.
func otherMetrics(s *fileSides, metric string) []string {
	others := []string{"wall", "cpu"}
	if len(s.http) < len(s.arms) {
		others = append(others, "memory")
	}
	if len(s.http) == len(s.arms) {
		others = append(others, latencies...)
	}
	others = append(others, s.extracted...)
	return slices.DeleteFunc(others, func(m string) bool { return m == metric })
}

// sides makes the sides of a question.
func (r *fileRun) sides(ctx context.Context, q question) (*fileSides, error) {
	s := &fileSides{}
	servers := 0
	for _, name := range q.arms {
		if r.config.Commands[name].HTTP != nil {
			servers++
		}
	}
	whole := servers < len(q.arms) || q.settings.Method == comparison.JZS || q.settings.Method == comparison.Fixed
	stepped := map[string]bool{}
	for _, name := range q.arms {
		c := r.config.Commands[name]
		var err error
		if c.HTTP != nil {
			err = r.addServer(ctx, s, name, c, whole, q.settings.Seed)
		} else {
			err = r.addCommand(ctx, s, name, c)
		}
		if err != nil {
			return nil, err
		}
		if !stepped[name] {
			stepped[name] = true
			if err := r.addSteps(s, name, c); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// shellOf is the shell of a command of the file, with the flag that a line
// follows.
func (r *fileRun) shellOf(name string, c config.Command) ([]string, error) {
	if c.Shell == "none" {
		return nil, nil
	}
	words, err := parameters.Split(c.Shell)
	if err != nil {
		return nil, usage("%w", r.config.Problem(err.Error(), "", "commands", name, "shell"))
	}
	return append(words, "-c"), nil
}

// environment is that of this process, with the command's variables after it.
func (r *fileRun) environment(c config.Command) []string {
	environ := slices.Clone(r.app.Environ)
	for _, name := range sortedKeys(c.Env) {
		environ = append(environ, name+"="+c.Env[name])
	}
	return environ
}

func (r *fileRun) addSteps(s *fileSides, name string, c config.Command) error {
	shell, err := r.shellOf(name, c)
	if err != nil {
		return err
	}
	spec := command.Spec{Dir: r.dir(c), Env: r.environment(c)}
	if r.steps.Has(config.StepSetup) {
		steps, err := r.app.steps("setup", c.Setup, shell, spec)
		if err != nil {
			return usage("%w", err)
		}
		s.setups = append(s.setups, steps...)
	}
	if r.steps.Has(config.StepCleanup) {
		steps, err := r.app.steps("cleanup", c.Cleanup, shell, spec)
		if err != nil {
			return usage("%w", err)
		}
		s.cleanups = append(s.cleanups, steps...)
	}
	return nil
}

func (r *fileRun) dir(c config.Command) string {
	if c.Dir != "" {
		return c.Dir
	}
	return r.config.Base
}

// around does the setups, measures, and does the cleanups in any case.
func (r *fileRun) around(ctx context.Context, s *fileSides, measure func(context.Context) (record.Record, error)) (measured record.Record, err error) {
	defer func() {
		cleanups, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
		defer cancel()
		err = errors.Join(err, command.RunSteps(cleanups, r.spawner, s.cleanups))
	}()
	if err := command.RunSteps(ctx, r.spawner, s.setups); err != nil {
		return record.Record{}, err
	}
	return measure(ctx)
}
