package gobuild

import (
	"context"
	"regexp"
	"strings"
)

// Discovery is what is known of a package's benchmarks at one version.
type Discovery struct {
	Found  []Found
	NotRun []*NotRun
	// KeepPaths is set where benchmarks look for files beside their sources, so
	// that the paths of these have to stay in the binary. It is then needed for
	// both sides of a comparison.
	KeepPaths bool
}

// missingFile is how the systems say that a file is not there.
var missingFile = regexp.MustCompile(`(?i)no such file or directory|file does not exist|cannot find the (file|path)`)

// Discover builds the tests of a package and finds its benchmarks. Where some
// fail because they look for files along the paths of their sources, which
// builds do not hold, they are built anew with these.
func (b *Builder) Discover(ctx context.Context, r Request, l Listing) (Discovery, error) {
	found, err := b.discover(ctx, r, l)
	if err != nil || r.KeepPaths || !looksForSources(found.NotRun, r.Package) {
		return found, err
	}
	r.KeepPaths = true
	with, err := b.discover(ctx, r, l)
	if err != nil || len(with.Found) <= len(found.Found) {
		return found, err
	}
	return with, nil
}

func (b *Builder) discover(ctx context.Context, r Request, l Listing) (Discovery, error) {
	binary, err := b.Build(ctx, r)
	if err != nil {
		return Discovery{}, err
	}
	found, failed, err := binary.Benchmarks(ctx, l)
	return Discovery{Found: found, NotRun: failed, KeepPaths: r.KeepPaths}, err
}

// looksForSources reports whether a benchmark has missed a file at the path that
// a source file has in a build without paths: it begins with the module's name.
func looksForSources(failed []*NotRun, p Package) bool {
	for _, one := range failed {
		for line := range strings.Lines(one.Output) {
			if missingFile.MatchString(line) && (strings.Contains(line, p.ImportPath) || p.Module != "" && strings.Contains(line, p.Module)) {
				return true
			}
		}
	}
	return false
}
