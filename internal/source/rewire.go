package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rewire makes the relative paths in go.mod and go.work of a copy lead to where
// they led in the repository.
func (s *Store) rewire(ctx context.Context, repo *repository, prefix string, v *Version) error {
	workspace, err := s.workspaceFor(ctx, filepath.Join(repo.root, prefix))
	if err != nil {
		return err
	}
	w := rewiring{store: s, repo: repo, version: v}
	if workspace != "" {
		return w.workspace(ctx, workspace)
	}
	path := modFileFor(v.Root, v.Dir)
	if path == "" {
		return nil
	}
	rel, _ := inside(v.Root, path)
	edits, err := w.replacements(ctx, path, filepath.Join(repo.root, rel), false)
	if err != nil || len(edits) == 0 || hasFile(filepath.Join(filepath.Dir(path), "vendor", "modules.txt")) {
		return err // what is vendored needs no other directory
	}
	v.ModFile, err = w.edited(ctx, path, "go.mod", "mod", edits, filepath.Join(filepath.Dir(path), "go.sum"), "go.sum")
	return err
}

// rewiring is the work on one version.
type rewiring struct {
	store   *Store
	repo    *repository
	version *Version
}

// moved is where a path of the repository is in the copy: at the same place, or
// itself if it is outside of the repository.
func (w rewiring) moved(path string) (to string, outside bool) {
	if rel, ok := inside(w.repo.root, path); ok {
		return filepath.Join(w.version.Root, rel), false
	}
	if !slices.Contains(w.version.Outside, path) && hasFile(path) {
		w.version.Outside = append(w.version.Outside, path)
	}
	return path, true
}

// replacements are the edits that make the replacements of a go.mod or go.work
// absolute: those that lead out of the repository, or all of them.
func (w rewiring) replacements(ctx context.Context, path, original string, all bool) ([]string, error) {
	m, err := w.store.read(ctx, path)
	if err != nil {
		return nil, err
	}
	var edits []string
	for _, r := range m.Replace {
		if !local(r.New.Path, r.New.Version) {
			continue
		}
		to, out := w.moved(absolute(filepath.Dir(original), r.New.Path))
		if !all && (!out || filepath.IsAbs(r.New.Path)) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		edits = append(edits, "-replace="+old+"="+to)
	}
	return edits, nil
}

// workspace makes a go.work for the copy out of the one that is used in the
// repository, or of the commit's own at the same place.
func (w rewiring) workspace(ctx context.Context, original string) error {
	path := original
	if rel, ok := inside(w.repo.root, original); ok {
		if own := filepath.Join(w.version.Root, rel); hasFile(own) {
			path = own
		}
	}
	m, err := w.store.read(ctx, path)
	if err != nil {
		return err
	}
	edits, err := w.replacements(ctx, path, original, true)
	if err != nil {
		return err
	}
	for _, use := range m.Use {
		from := absolute(filepath.Dir(original), use.DiskPath)
		to, _ := w.moved(from)
		edits = append(edits, "-dropuse="+use.DiskPath)
		file := filepath.Join(to, "go.mod")
		if !hasFile(file) {
			continue // this module was not there yet at the commit
		}
		edits = append(edits, "-use="+to)
		if rel, ok := inside(w.version.Root, file); ok {
			more, err := w.replacements(ctx, file, filepath.Join(w.repo.root, rel), false)
			if err != nil {
				return err
			}
			edits = append(edits, more...)
		}
	}
	w.version.Workspace, err = w.edited(ctx, path, "go.work", "work", edits, path+".sum", "go.work.sum")
	return err
}

// edited puts an edited copy of a go.mod or go.work into the cache, with the
// sums that belong to it, and returns its path. Copies are named after what is
// in them.
func (w rewiring) edited(ctx context.Context, path, name, verb string, edits []string, sums, sumsName string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sumsText, err := os.ReadFile(sums)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(text), string(sumsText), strings.Join(edits, "\n")}, "\x00")))
	place := filepath.Join(w.store.Cache, "modules", hex.EncodeToString(sum[:12]))
	if hasFile(filepath.Join(place, name)) {
		used(place)
		return filepath.Join(place, name), nil
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(filepath.Dir(place), "making-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(making) }()
	if err := os.WriteFile(filepath.Join(making, name), text, 0o666); err != nil {
		return "", err
	}
	if sumsText != nil {
		if err := os.WriteFile(filepath.Join(making, sumsName), sumsText, 0o666); err != nil {
			return "", err
		}
	}
	if _, err := w.store.goCommand(ctx, making, append(append([]string{verb, "edit"}, edits...), filepath.Join(making, name))...); err != nil {
		return "", err
	}
	if err := os.Rename(making, place); err != nil && !hasFile(filepath.Join(place, name)) {
		return "", err
	}
	return filepath.Join(place, name), nil
}
