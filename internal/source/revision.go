package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// inventoryFile lies beside a copy and says what it looked like when it was
// made.
const inventoryFile = "inventory"

// mostGenerations bounds how many copies of one revision there may be. A further
// one is made where something has written into those before.
const mostGenerations = 1000

// revision is a commit, copied into the cache.
func (s *Store) revision(ctx context.Context, dir string, spec Spec) (Version, error) {
	repo, prefix, err := openRepository(ctx, dir, s.Env)
	if err != nil {
		return Version{}, err
	}
	v := Version{Spec: spec}
	name := spec.Value
	if spec.Kind == MergeBase {
		name, v.Commit, err = repo.mergeBase(ctx)
	} else {
		v.Commit, err = repo.commit(ctx, spec.Value)
	}
	if err != nil {
		return v, err
	}
	if v.Name = name + " " + short(v.Commit); strings.HasPrefix(v.Commit, name) {
		v.Name = short(v.Commit)
	}
	if v.Root, v.Warnings, err = s.copy(ctx, repo, v.Commit, prefix); err != nil {
		return v, err
	}
	v.Dir = filepath.Join(v.Root, prefix)
	if info, err := os.Stat(v.Dir); err != nil || !info.IsDir() {
		return v, fmt.Errorf("there is no directory %s at %s", filepath.ToSlash(prefix), short(v.Commit))
	}
	if err := s.rewire(ctx, repo, prefix, &v); err != nil {
		return v, err
	}
	v.Hash, err = withOutside(v.Commit+s.prepared(), v.Outside)
	return v, err
}

// prepared tells apart copies in which different commands have run.
func (s *Store) prepared() string {
	if s.Prepare == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.Prepare))
	return "-" + hex.EncodeToString(sum[:4])
}

// copy returns a directory with the files of a commit: one that is in the cache
// as it was made, or a new one. Copies appear under their name when they are
// complete, so that runs at the same time do not see each other's halves.
func (s *Store) copy(ctx context.Context, repo *repository, hash, prefix string) (dir string, warnings []string, err error) {
	all := filepath.Join(s.Cache, "sources")
	for generation := range mostGenerations {
		place := filepath.Join(all, fmt.Sprintf("%s%s.%d", hash, s.prepared(), generation))
		tree := filepath.Join(place, "tree")
		switch state, warnings, err := look(place); {
		case err != nil:
			return "", nil, err
		case state == intact:
			used(place)
			return tree, warnings, nil
		case state == written:
			continue
		}
		err := s.make(ctx, repo, hash, prefix, place)
		// Another run may have been first; its copy is looked at like any other.
		if err != nil && !errors.Is(err, os.ErrExist) {
			return "", nil, err
		}
		if state, warnings, err := look(place); err == nil && state == intact {
			return tree, warnings, nil
		}
	}
	return "", nil, fmt.Errorf("%s holds too many copies of %s: remove them", all, short(hash))
}

// What may be found of a copy.
const (
	absent = iota
	intact
	written
)

// look says whether there is a copy in a place, and whether it is as it was
// made.
func look(place string) (state int, warnings []string, err error) {
	text, err := os.ReadFile(filepath.Join(place, inventoryFile))
	if errors.Is(err, os.ErrNotExist) {
		return absent, nil, nil
	}
	if err != nil {
		return absent, nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	now, err := inventory(filepath.Join(place, "tree"))
	if err != nil || now != lines[0] {
		return written, nil, nil
	}
	return intact, lines[1:], nil
}

// make fills a place with the files of a commit.
func (s *Store) make(ctx context.Context, repo *repository, hash, prefix, place string) (err error) {
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return fmt.Errorf("keeping sources: %w", err)
	}
	making, err := os.MkdirTemp(filepath.Dir(place), "making-")
	if err != nil {
		return fmt.Errorf("keeping sources: %w", err)
	}
	defer func() { _ = os.RemoveAll(making) }()
	tree := filepath.Join(making, "tree")
	if err := os.Mkdir(tree, 0o777); err != nil {
		return fmt.Errorf("keeping sources: %w", err)
	}
	warnings, err := repo.checkOut(ctx, hash, tree)
	if err != nil {
		return err
	}
	more, err := pointerWarning(tree)
	if err != nil {
		return err
	}
	warnings = append(warnings, more...)
	if err := s.prepare(ctx, filepath.Join(tree, prefix)); err != nil {
		return err
	}
	now, err := inventory(tree)
	if err != nil {
		return err
	}
	text := strings.Join(append([]string{now}, warnings...), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(making, inventoryFile), []byte(text), 0o666); err != nil {
		return fmt.Errorf("keeping sources: %w", err)
	}
	if err := os.Rename(making, place); err != nil {
		if hasFile(place) {
			return os.ErrExist
		}
		return fmt.Errorf("keeping sources: %w", err)
	}
	return nil
}

// prepare runs the user's command in a copy.
func (s *Store) prepare(ctx context.Context, dir string) error {
	if s.Prepare == "" {
		return nil
	}
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], s.Prepare)...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(s.Env), "PWD="+dir)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the prepare command %q failed in the copy: %w\n%s", s.Prepare, err, tail(output.String(), 20))
	}
	return nil
}

// tail is the last lines of a text.
func tail(text string, count int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
