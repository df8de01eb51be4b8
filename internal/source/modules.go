package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is what matters here of a go.mod or a go.work.
type module struct {
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// goCommand runs the go command and returns what it printed.
func (s *Store) goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.Go, args...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(s.Env), "PWD="+dir)
	out, err := cmd.Output()
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("go %s in %s: %s", strings.Join(args[:min(2, len(args))], " "), dir, tail(string(failed.Stderr), 5))
	}
	return "", fmt.Errorf("running the go command: %w", err)
}

// read reads a go.mod or a go.work.
func (s *Store) read(ctx context.Context, path string) (module, error) {
	var m module
	verb := "mod"
	if strings.HasSuffix(path, ".work") {
		verb = "work"
	}
	text, err := s.goCommand(ctx, filepath.Dir(path), verb, "edit", "-json", path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("reading %s: %w", path, err)
	}
	return m, nil
}

// local reports whether the new side of a replacement is a directory.
func local(path, version string) bool {
	return version == "" && (filepath.IsAbs(path) || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || path == "." || path == "..")
}

// inside reports whether a path lies in a directory, and where.
func inside(root, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// modFileFor returns the go.mod that a directory belongs to, or nothing.
func modFileFor(root, dir string) string {
	for {
		if path := filepath.Join(dir, "go.mod"); hasFile(path) {
			return path
		}
		if _, ok := inside(root, filepath.Dir(dir)); !ok || dir == root {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// workspaceFor returns the go.work that the go command uses in a directory.
func (s *Store) workspaceFor(ctx context.Context, dir string) (string, error) {
	path, err := s.goCommand(ctx, dir, "env", "GOWORK")
	if err != nil || path == "off" {
		return "", err
	}
	return path, nil
}

// outside lists the directories outside of root that the modules in it lead to.
func (s *Store) outside(ctx context.Context, root, dir string) ([]string, error) {
	var files []string
	workspace, err := s.workspaceFor(ctx, dir)
	if err != nil {
		return nil, err
	}
	if workspace != "" {
		files = append(files, workspace)
	} else if path := modFileFor(root, dir); path != "" {
		files = append(files, path)
	}
	var found []string
	for len(files) > 0 {
		m, err := s.read(ctx, files[0])
		if err != nil {
			return nil, err
		}
		base := filepath.Dir(files[0])
		files = files[1:]
		for _, use := range m.Use {
			path := absolute(base, use.DiskPath)
			if hasFile(filepath.Join(path, "go.mod")) {
				files = append(files, filepath.Join(path, "go.mod"))
			}
			found = append(found, path)
		}
		for _, r := range m.Replace {
			if local(r.New.Path, r.New.Version) {
				found = append(found, absolute(base, r.New.Path))
			}
		}
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(path string) bool {
		_, ok := inside(root, path)
		return ok || !hasFile(path)
	}), nil
}
