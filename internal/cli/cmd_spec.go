package cli

import (
	"fmt"
	"os"
	"runtime"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/extract"
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// commandSpec describes one command.
func (a *App) commandSpec(b parameters.Benchmark, f *cmdFlags, shell []string, metrics []extract.Metric) (command.Spec, error) {
	spec := command.Spec{Name: b.Label(), Env: a.Environ, Timeout: f.timeout}
	var err error
	if spec.Program, err = program(shell, b.Command); err != nil {
		return spec, err
	}
	if spec.Stdin, err = parameters.ParseInput(f.input, os.Stat); err != nil {
		return spec, err
	}
	if spec.Output, err = outputOf(b.Output, f.showOutput); err != nil {
		return spec, err
	}
	if f.ignoreFailure != "" {
		mode, err := parameters.ParseFailureMode(f.ignoreFailure)
		if err != nil {
			return spec, err
		}
		spec.Accept = command.ExitCodes{Any: mode.All, Codes: mode.Codes}
	}
	if spec.Prepare, err = a.steps("prepare", b.Prepare, shell, spec); err != nil {
		return spec, err
	}
	if spec.Conclude, err = a.steps("conclude", b.Conclude, shell, spec); err != nil {
		return spec, err
	}
	spec.Extract, spec.Extracted = extractor(metrics, nil)
	return spec, nil
}

// program is how a command line is started.
func program(shell []string, line string) (command.Program, error) {
	if len(shell) > 0 {
		return command.Program{Shell: shell, Line: line}, nil
	}
	words, err := parameters.Split(line)
	if err != nil {
		return command.Program{}, fmt.Errorf("%q: %w", line, err)
	}
	return command.Program{Argv: words}, nil
}

// outputOf says where a command's output goes.
func outputOf(text string, shown bool) (spawn.Output, error) {
	if shown {
		return spawn.Output{Kind: spawn.Inherit}, nil
	}
	output, err := parameters.ParseOutput(text)
	if err != nil {
		return spawn.Output{}, err
	}
	switch output.Kind {
	case parameters.OutputPipe:
		return spawn.Output{Kind: spawn.Pipe}, nil
	case parameters.OutputInherit:
		return spawn.Output{Kind: spawn.Inherit}, nil
	case parameters.OutputFile:
		return spawn.Output{Kind: spawn.File, Path: output.File}, nil
	}
	return spawn.Output{}, nil
}

// steps makes the steps of one kind around a command: none or one. A step gets
// a shell where its line needs one, whatever the command itself gets.
func (a *App) steps(name, line string, shell []string, spec command.Spec) ([]command.Step, error) {
	if line == "" {
		return nil, nil
	}
	if len(shell) == 0 && parameters.NeedsShell(line) {
		shell = defaultShell()
	}
	started, err := program(shell, line)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", name, err)
	}
	return []command.Step{{Name: name, Program: started, Dir: spec.Dir, Env: spec.Env, Output: stepOutput(spec.Output)}}, nil
}

// stepOutput shows a step's output where the command's is shown.
func stepOutput(output spawn.Output) spawn.Output {
	if output.Kind == spawn.Inherit {
		return output
	}
	return spawn.Output{}
}

// defaultShell is the shell of the system, with the flag that a line follows.
func defaultShell() []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd.exe", "/C"}
	}
	return []string{"sh", "-c"}
}

// extractor finds metrics in what a command prints. Those of fromStderr are
// looked for in standard error, all others in standard output.
func extractor(metrics []extract.Metric, fromStderr map[string]bool) (func(stdout, stderr []byte) ([]engine.Extra, error), []record.Metric) {
	if len(metrics) == 0 {
		return nil, nil
	}
	var described []record.Metric
	for _, m := range metrics {
		described = append(described, record.Metric{Name: m.Name, Unit: m.Unit, Better: m.Better})
	}
	return func(stdout, stderr []byte) ([]engine.Extra, error) {
		var found []engine.Extra
		for _, m := range metrics {
			text := stdout
			if fromStderr[m.Name] {
				text = stderr
			}
			value, err := m.Find(text)
			if err != nil {
				return nil, err // it names the metric
			}
			found = append(found, engine.Extra{Metric: m.Name, Value: value})
		}
		return found, nil
	}, described
}
