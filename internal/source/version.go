package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Version is a version that is ready to be built.
type Version struct {
	Spec Spec
	// Name says which version it is, such as "main 3f2a91c" or "working tree (3
	// files)".
	Name string
	// Commit is the full hash; empty where it is no commit.
	Commit string
	// Root is the top directory of the sources, and Dir the directory that
	// package patterns belong to.
	Root, Dir string
	// InPlace is set where these are the user's own files, which may change
	// while they are measured.
	InPlace bool
	// Binary is the path of a test binary that is ready; then there are no
	// sources.
	Binary string
	// Hash identifies the sources, with those outside of Root that go.mod or
	// go.work lead to. Equal hashes are equal sources.
	Hash string
	// ModFile and Workspace are files to be used in place of go.mod and go.work;
	// empty for those that are found.
	ModFile, Workspace string
	// Outside are the directories outside of Root that go.mod or go.work lead
	// to.
	Outside []string
	// Warnings say what is missing in the sources, and what to do.
	Warnings []string
}

// Store makes versions. Its methods may be called at the same time, also by
// several processes with one cache.
type Store struct {
	// Dir is where the user is.
	Dir string
	// Cache is the directory that revisions are kept in.
	Cache string
	// Env is the environment for git, go and the prepare command.
	Env []string
	// Go is the go command, which edits copies of go.mod and go.work.
	Go string
	// Prepare is a command of the shell that makes what is not in the
	// repository, such as generated files. It runs in the copied directory only.
	Prepare string
}

// Get returns a version. Its errors name the version and say what to do.
func (s *Store) Get(ctx context.Context, spec Spec) (Version, error) {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return Version{}, fmt.Errorf("version %q: %w", spec, err)
	}
	// Names with symbolic links in them are not what git prints.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	var v Version
	switch spec.Kind {
	case Binary:
		v, err = binary(dir, spec)
	case Directory:
		v, err = s.inPlace(ctx, absolute(dir, spec.Value), spec)
	case WorkingTree:
		v, err = s.inPlace(ctx, dir, spec)
	default:
		v, err = s.revision(ctx, dir, spec)
	}
	if err != nil {
		return Version{}, fmt.Errorf("version %q: %w", spec, err)
	}
	return v, nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// binary is a version without sources. It runs where the user is.
func binary(dir string, spec Spec) (Version, error) {
	path := absolute(dir, spec.Value)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Version{}, fmt.Errorf("the test binary cannot be read; build one with go test -c: %w", err)
	case !info.Mode().IsRegular():
		return Version{}, fmt.Errorf("%s is no file; build a test binary with go test -c", path)
	}
	hash, err := treeHash(filepath.Dir(path), []string{filepath.Base(path)})
	if err != nil {
		return Version{}, err
	}
	return Version{Spec: spec, Name: filepath.Base(path), Root: dir, Dir: dir, InPlace: true, Binary: path, Hash: hash}, nil
}

// inPlace is the working tree, or any other directory.
func (s *Store) inPlace(ctx context.Context, dir string, spec Spec) (Version, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return Version{}, fmt.Errorf("the directory cannot be read: %w", err)
	case !info.IsDir():
		return Version{}, fmt.Errorf("%s is no directory; for a test binary write bin:%s", dir, spec.Value)
	}
	v := Version{Spec: spec, Name: spec.Value, Root: dir, Dir: dir, InPlace: true}
	repo, _, err := openRepository(ctx, dir, s.Env)
	switch {
	case err == nil:
		v.Root = repo.root
		if spec.Kind == WorkingTree {
			v.Name, err = workingTreeName(ctx, repo)
		}
		if v.Commit, _ = repo.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
			return v, err
		}
	case spec.Kind == WorkingTree && errors.Is(err, ErrNoRepository):
		v.Name = "working tree"
	}
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	if v.Outside, err = s.outside(ctx, v.Root, v.Dir); err != nil {
		return v, err
	}
	v.Hash, err = s.hash(ctx, v)
	return v, err
}

// workingTreeName says how many files of the working tree differ from its
// commit.
func workingTreeName(ctx context.Context, repo *repository) (string, error) {
	changed, err := repo.list(ctx, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
	if err != nil {
		return "", err
	}
	switch len(changed) {
	case 0:
		if head, err := repo.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
			return "working tree (" + short(head) + ", unchanged)", nil
		}
		return "working tree", nil
	case 1:
		return "working tree (1 file)", nil
	}
	return fmt.Sprintf("working tree (%d files)", len(changed)), nil
}

// hash reads the sources of a version in place.
func (s *Store) hash(ctx context.Context, v Version) (string, error) {
	names, err := s.sources(ctx, v)
	if err != nil {
		return "", err
	}
	hash, err := treeHash(v.Root, names)
	if err != nil {
		return "", err
	}
	return withOutside(hash, v.Outside)
}

// withOutside adds the contents of further directories to a hash.
func withOutside(hash string, dirs []string) (string, error) {
	for _, dir := range dirs {
		names, err := filesBelow(dir)
		if err != nil {
			return "", fmt.Errorf("reading %s, which go.mod or go.work leads to: %w", dir, err)
		}
		more, err := treeHash(dir, names)
		if err != nil {
			return "", err
		}
		hash += "+" + more[:16]
	}
	return hash, nil
}

// sources lists the files of a version in place: in a repository those that git
// tracks or would, and else all.
func (s *Store) sources(ctx context.Context, v Version) ([]string, error) {
	repo, _, err := openRepository(ctx, v.Root, s.Env)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return filesBelow(v.Root)
	}
	return repo.list(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
}

// Changed reports whether the sources of a version have changed since it was
// made. Only sources in place can.
func (s *Store) Changed(ctx context.Context, v Version) (bool, error) {
	if !v.InPlace {
		return false, nil
	}
	if v.Binary != "" {
		hash, err := treeHash(filepath.Dir(v.Binary), []string{filepath.Base(v.Binary)})
		return hash != v.Hash, err
	}
	hash, err := s.hash(ctx, v)
	return hash != v.Hash, err
}
