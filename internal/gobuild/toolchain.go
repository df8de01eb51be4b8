package gobuild

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Toolchain is a Go installation, as the go command chooses it in a directory.
type Toolchain struct {
	// Go is the path of its go command, Root its GOROOT, and Version its version
	// such as "go1.26.8".
	Go, Root, Version string
	// OS and Arch are what it builds for.
	OS, Arch string
	// Testing is the directory of package testing.
	Testing string
	// Layouts is set where its linker can place functions in another order.
	Layouts bool

	env      []string          // the environment for its go command
	flags    []string          // GOFLAGS
	settings map[string]string // go env
}

// FindToolchain asks the go command which toolchain it uses in a directory. name
// is the value for GOTOOLCHAIN, or empty for the user's own. cache is where a
// link to the toolchain is put if it lies below the module cache, where the go
// command refuses to replace a file.
func FindToolchain(ctx context.Context, goCommand, dir string, env []string, name, cache string) (Toolchain, error) {
	env = slices.Clone(env)
	if name != "" {
		env = append(env, "GOTOOLCHAIN="+name)
	}
	t := Toolchain{Go: goCommand, env: env}
	if err := t.ask(ctx, dir); err != nil {
		return t, err
	}
	if err := t.pin(cache); err != nil {
		return t, err
	}
	out, err := t.runIn(ctx, filepath.Join(t.Root, "src"), neutral, "list", "-f", "{{.Dir}}", "testing")
	if err != nil {
		return t, fmt.Errorf("finding package testing of %s: %w", t.Version, err)
	}
	t.Testing = strings.TrimSpace(out)
	// The linker prints its flags and ends with an error.
	var failed *runError
	if _, err := t.run(ctx, dir, "tool", "link", "-h"); errors.As(err, &failed) {
		t.Layouts = strings.Contains(failed.output, "-randlayout")
	}
	return t, ctx.Err()
}

// ask reads the settings of the go command.
func (t *Toolchain) ask(ctx context.Context, dir string) error {
	out, err := t.run(ctx, dir, "env", "-json")
	if err != nil {
		return fmt.Errorf("asking the go command for its settings: %w", err)
	}
	if err := json.Unmarshal([]byte(out), &t.settings); err != nil {
		return fmt.Errorf("reading the settings of the go command: %w", err)
	}
	t.Root, t.Version = t.settings["GOROOT"], t.settings["GOVERSION"]
	t.OS, t.Arch = t.settings["GOOS"], t.settings["GOARCH"]
	if t.flags, err = splitFlags(t.settings["GOFLAGS"]); err != nil {
		return fmt.Errorf("reading GOFLAGS: %w", err)
	}
	return nil
}

// pin makes sure that this very toolchain is used from now on, whatever a go.mod
// asks for, and that its files can be replaced in a build.
func (t *Toolchain) pin(cache string) error {
	root := t.Root
	if below(t.settings["GOMODCACHE"], root) {
		sum := sha256.Sum256([]byte(root))
		link := filepath.Join(cache, "toolchains", hex.EncodeToString(sum[:8]))
		if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
			return fmt.Errorf("linking to the toolchain: %w", err)
		}
		if err := os.Symlink(root, link); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("linking to the toolchain: %w", err)
		}
		root = link
	}
	t.Root = root
	t.Go = filepath.Join(root, "bin", "go")
	if t.settings["GOHOSTOS"] == "windows" {
		t.Go += ".exe"
	}
	t.env = append(t.env, "GOROOT="+root, "GOTOOLCHAIN=local")
	return nil
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// neutral is the environment for the toolchain's own packages: what the user
// sets is for the user's modules.
var neutral = []string{"GOFLAGS=-vet=off", "GOWORK=off"}

// Newest returns the newest of some toolchains, for a comparison in which both
// sides are built with one.
func Newest(all ...Toolchain) Toolchain {
	return slices.MaxFunc(all, func(a, b Toolchain) int { return version.Compare(a.Version, b.Version) })
}

// runError is a go command that failed.
type runError struct {
	output string
	err    error
}

func (e *runError) Error() string {
	if e.output == "" {
		return e.err.Error()
	}
	return e.output
}

func (e *runError) Unwrap() error { return e.err }

// run runs the go command and returns its standard output. The error holds what
// it printed for people.
func (t *Toolchain) run(ctx context.Context, dir string, args ...string) (string, error) {
	return t.runIn(ctx, dir, nil, args...)
}

func (t *Toolchain) runIn(ctx context.Context, dir string, more []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.Go, args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(t.env, more, []string{"PWD=" + dir})
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// The compilers that it starts have these pipes as well.
	cmd.WaitDelay = pipeDelay
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &runError{output: strings.TrimSpace(stderr.String()), err: err}
	}
	return stdout.String(), nil
}
