// Package demo holds two small programs that do the same work in two ways, for a
// first comparison that needs nothing but Go.
//
// Their sources travel inside the binary as texts, so that the comparison works
// wherever the command was installed.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Program is one of the two programs.
type Program struct {
	// Name is what reports call it.
	Name string
	// Summary says in half a sentence how it works.
	Summary string
	// Source is its one Go file, standard library only.
	Source string
}

// Built is a program that can be started.
type Built struct {
	// Name is that of the program.
	Name string
	// Path is the file to start; it needs no arguments.
	Path string
}

//go:embed old/main.go.txt
var oldSource string

//go:embed new/main.go.txt
var newSource string

// Programs returns the two programs, the older one first. Both count the words
// of one text, which they make up themselves, and print the same line.
func Programs() [2]Program {
	return [2]Program{
		{Name: "old", Summary: "reads word by word and copies each word", Source: oldSource},
		{Name: "new", Summary: "walks over the text without a copy", Source: newSource},
	}
}

// module makes the folder of the sources a module of its own, whatever is around it.
const module = "module demo\n\ngo 1.24\n"

// Build writes the sources below dir, which must exist, and builds them with the
// go command there. It returns the programs in the order of [Programs]. The
// caller removes dir. That Go is not installed, and whatever the go command says,
// are errors; when ctx ends, so does the go command.
func Build(ctx context.Context, dir string) ([2]Built, error) {
	var built [2]Built
	dir, err := filepath.Abs(dir)
	if err != nil {
		return built, fmt.Errorf("demo: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666); err != nil {
		return built, fmt.Errorf("demo: %w", err)
	}
	for i, program := range Programs() {
		folder := filepath.Join(dir, program.Name)
		if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			return built, fmt.Errorf("demo: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program.Source), 0o666); err != nil {
			return built, fmt.Errorf("demo: %w", err)
		}
		executable := filepath.Join(dir, "count-"+program.Name)
		if runtime.GOOS == "windows" {
			executable += ".exe"
		}
		if err := build(ctx, dir, program.Name, executable); err != nil {
			return built, err
		}
		built[i] = Built{Name: program.Name, Path: executable}
	}
	return built, nil
}

// build runs the go command on one folder of the module in dir.
func build(ctx context.Context, dir, folder, executable string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", executable, "./"+folder)
	cmd.Dir = dir
	// What somebody set for work of their own must not change these programs.
	cmd.Env = append(os.Environ(), "PWD="+dir, "GO111MODULE=on", "GOWORK=off", "GOFLAGS=", "GOEXPERIMENT=",
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("demo: it builds two small Go programs, and there is no go command on the PATH: install Go (https://go.dev/dl), or compare programs of your own with rtcompare cmd")
	}
	return fmt.Errorf("demo: building the program %q: %w\n%s", folder, err, strings.TrimSpace(output.String()))
}
