package gobuild

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rtcompare/rtcompare/internal/source"
)

// Package is a package of a version.
type Package struct {
	ImportPath string
	// Dir is where its files are, which is where its tests run.
	Dir string
	// Module is the path of its module; empty for the standard library.
	Module string
}

// Packages lists the packages with test files that patterns such as ./... name.
// Packages that cannot be loaded are returned as errors beside those that can.
func (b *Builder) Packages(ctx context.Context, v source.Version, patterns ...string) ([]Package, []error, error) {
	if v.Binary != "" {
		return []Package{{ImportPath: v.Name, Dir: v.Dir}}, nil, nil
	}
	user, err := b.userFlags()
	if err != nil {
		return nil, nil, err
	}
	env, flags, err := b.versionFlags(user, v)
	if err != nil {
		return nil, nil, err
	}
	args := []string{"list", "-e", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles,Error"}
	if user.overlay != "" {
		args = append(args, "-overlay="+user.overlay)
	}
	args = append(append(args, flags...), "--")
	out, err := b.Toolchain.runIn(ctx, v.Dir, env, append(args, patterns...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("listing packages %s at %s: %w", strings.Join(patterns, " "), v.Name, err)
	}
	packages, failed, err := readPackages(out, v.Name)
	if err == nil && len(packages) == 0 && len(failed) == 0 {
		err = fmt.Errorf("no package with test files matches %s at %s", strings.Join(patterns, " "), v.Name)
	}
	return packages, failed, err
}

// readPackages reads what go list has printed.
func readPackages(out, version string) (packages []Package, failed []error, err error) {
	for decoder := json.NewDecoder(strings.NewReader(out)); ; {
		var listed struct {
			ImportPath, Dir           string
			Module                    *struct{ Path string }
			TestGoFiles, XTestGoFiles []string
			Error                     *struct{ Err string }
		}
		err := decoder.Decode(&listed)
		if errors.Is(err, io.EOF) {
			return packages, failed, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("reading what go list has printed: %w", err)
		}
		found := Package{ImportPath: listed.ImportPath, Dir: listed.Dir}
		if listed.Module != nil {
			found.Module = listed.Module.Path
		}
		switch {
		case listed.Error != nil:
			failed = append(failed, &BuildError{Package: listed.ImportPath, Version: version, Output: listed.Error.Err})
		case len(listed.TestGoFiles)+len(listed.XTestGoFiles) > 0:
			packages = append(packages, found)
		}
	}
}
