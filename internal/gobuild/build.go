package gobuild

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/rtcompare/rtcompare/internal/source"
)

// Builder builds test binaries with one toolchain and one set of flags. Its
// methods may be called at the same time.
type Builder struct {
	Toolchain Toolchain
	// Flags are the user's build flags, such as -tags=x, beside those in
	// GOFLAGS.
	Flags []string
	// Cache is the directory that binaries are kept in.
	Cache string

	mu     sync.Mutex
	driver *driverChoice
	built  map[string]*building
}

// building is a binary that is built once, whoever asks for it.
type building struct {
	once   sync.Once
	binary Binary
	err    error
}

// Request says what to build.
type Request struct {
	Version source.Version
	Package Package
	// Layout is the number of an order of functions; 0 is the linker's own.
	Layout int
	Driver Driver
	// KeepPaths leaves the paths of source files as they are, for benchmarks
	// that look for files beside them.
	KeepPaths bool
}

// Binary is a test binary.
type Binary struct {
	Path string
	// Hash is the hash of its bytes.
	Hash string
	// FileSize and TextSize are the sizes of the file and of its machine code in
	// bytes. TextSize is -1 where the format of the file is not known.
	FileSize, TextSize int64
	// Info is what the toolchain wrote into it about its making; nil where it
	// cannot be read.
	Info *debug.BuildInfo
	// Layout, Driver and KeepPaths are those of the request.
	Layout    int
	Driver    Driver
	KeepPaths bool
	// Package is the package that is tested, and Version the name of its
	// version.
	Package Package
	Version string
	// Root is the GOROOT that it was built with.
	Root string
}

// ErrNoTests says that a package has no test files.
var ErrNoTests = errors.New("the package has no test files")

// BuildError is a package that could not be built.
type BuildError struct {
	Package, Version string
	// Output is what the compiler said.
	Output string
	Err    error
}

func (e *BuildError) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("building the tests of %s at %s: %v", e.Package, e.Version, e.Err)
	}
	return fmt.Sprintf("building the tests of %s at %s:\n%s", e.Package, e.Version, e.Output)
}

// Unwrap returns the error of the go command.
func (e *BuildError) Unwrap() error { return e.Err }

// Build builds a binary, or finds it in the cache. A failing compiler is a
// [*BuildError]; a package without test files wraps [ErrNoTests].
func (b *Builder) Build(ctx context.Context, r Request) (Binary, error) {
	if r.Version.Binary != "" {
		return b.ready(r)
	}
	if r.Layout != 0 && !b.Toolchain.Layouts {
		return Binary{}, &BuildError{Package: r.Package.ImportPath, Version: r.Version.Name, Err: fmt.Errorf("the linker of %s cannot place functions in another order: use go1.23 or newer, or layout 0", b.Toolchain.Version)}
	}
	key, err := b.key(r)
	if err != nil {
		return Binary{}, err
	}
	b.mu.Lock()
	if b.built == nil {
		b.built = map[string]*building{}
	}
	one := b.built[key]
	if one == nil {
		one = new(building)
		b.built[key] = one
	}
	b.mu.Unlock()
	one.once.Do(func() { one.binary, one.err = b.build(ctx, key, r) })
	if one.err != nil && ctx.Err() != nil {
		b.mu.Lock()
		delete(b.built, key) // somebody else may have more time
		b.mu.Unlock()
	}
	return one.binary, one.err
}

// build builds a binary. One from the cache is taken for a commit only: what
// belongs to the user's own files is not all known here, and the go command has
// a cache itself that knows it.
func (b *Builder) build(ctx context.Context, key string, r Request) (Binary, error) {
	path := filepath.Join(b.Cache, "binaries", key, r.Package.binaryName())
	if _, err := os.Stat(path); err != nil || r.Version.InPlace {
		if err := b.compile(ctx, path, r); err != nil {
			return Binary{}, err
		}
	}
	used(filepath.Dir(path))
	return b.describe(path, r)
}

// ready describes a binary that the user has built.
func (b *Builder) ready(r Request) (Binary, error) {
	binary, err := b.describe(r.Version.Binary, r)
	if err != nil {
		return binary, fmt.Errorf("reading the test binary: %w", err)
	}
	if r.Driver == Pausing {
		return binary, &BuildError{Package: r.Package.ImportPath, Version: r.Version.Name, Err: errors.New("a binary that is ready cannot be paused")}
	}
	return binary, nil
}

// describe reads what there is to know about a binary.
func (b *Builder) describe(path string, r Request) (Binary, error) {
	binary := Binary{Path: path, Layout: r.Layout, Driver: r.Driver, KeepPaths: r.KeepPaths, Package: r.Package, Version: r.Version.Name, Root: b.Toolchain.Root}
	f, err := os.Open(path)
	if err != nil {
		return binary, err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if binary.FileSize, err = io.Copy(sum, f); err != nil {
		return binary, err
	}
	binary.Hash = hex.EncodeToString(sum.Sum(nil))
	binary.TextSize = textSize(f)
	if info, err := buildinfo.Read(f); err == nil {
		binary.Info = info
	}
	return binary, nil
}

// binaryName is the name that go test gives a binary.
func (p Package) binaryName() string {
	name := p.ImportPath[strings.LastIndex(p.ImportPath, "/")+1:]
	if name == "" || name == "." {
		name = "package"
	}
	return name + ".test"
}
