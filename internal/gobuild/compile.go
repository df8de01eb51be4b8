package gobuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rtcompare/rtcompare/internal/source"
)

// compile runs the go command.
func (b *Builder) compile(ctx context.Context, path string, r Request) error {
	user, err := b.userFlags()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("keeping binaries: %w", err)
	}
	making, err := os.MkdirTemp(filepath.Dir(path), "making-")
	if err != nil {
		return fmt.Errorf("keeping binaries: %w", err)
	}
	defer func() { _ = os.RemoveAll(making) }()
	made := filepath.Join(making, filepath.Base(path))
	args := []string{"test", "-c", "-vet=off", "-buildvcs=false", "-o", made}
	if !r.KeepPaths {
		args = append(args, "-trimpath")
	}
	file := user.overlay
	if r.Driver == Pausing {
		if _, reason, err := b.Driver(ctx); err != nil || reason != "" {
			return errors.Join(err, &BuildError{Package: r.Package.ImportPath, Version: r.Version.Name, Err: errors.New(reason)})
		}
		file = b.driver.overlay
	}
	if file != "" {
		args = append(args, "-overlay="+file)
	}
	args = append(args, linkerFlags(user.linker, r.Layout)...)
	env, more, err := b.versionFlags(user, r.Version)
	if err != nil {
		return err
	}
	args = append(append(args, more...), r.Package.ImportPath)
	if _, err := b.Toolchain.runIn(ctx, r.Version.Dir, env, args...); err != nil {
		return b.explain(ctx, err, r)
	}
	if _, err := os.Stat(made); err != nil {
		return &BuildError{Package: r.Package.ImportPath, Version: r.Version.Name, Err: ErrNoTests}
	}
	if err := os.Rename(made, path); err != nil {
		return fmt.Errorf("keeping binaries: %w", err)
	}
	return nil
}

func (b *Builder) explain(ctx context.Context, err error, r Request) error {
	if ctx.Err() != nil {
		return err
	}
	failed := &BuildError{Package: r.Package.ImportPath, Version: r.Version.Name, Err: err}
	var run *runError
	if errors.As(err, &run) {
		failed.Output, failed.Err = run.output, run.err
	}
	return failed
}

// versionFlags are the environment and the flags of the go command for a
// version. GOFLAGS keeps what was not taken out of it.
func (b *Builder) versionFlags(user userFlags, v source.Version) (env, flags []string, err error) {
	own, err := sortFlags(b.Toolchain.flags)
	if err != nil {
		return nil, nil, err
	}
	rest := own.rest
	if len(rest) == 0 && len(b.Toolchain.flags) > 0 {
		rest = []string{"-vet=off"} // an empty value would be read from the settings file
	}
	if len(rest) > 0 {
		value, err := joinFlags(rest)
		if err != nil {
			return nil, nil, err
		}
		env = append(env, "GOFLAGS="+value)
	}
	modFile := user.modFile
	switch {
	case v.Workspace != "":
		env, modFile = append(env, "GOWORK="+v.Workspace), ""
	case v.ModFile != "":
		modFile = v.ModFile
	}
	if modFile != "" {
		flags = append(flags, "-modfile="+modFile)
	}
	return env, append(flags, user.rest[len(own.rest):]...), nil
}
