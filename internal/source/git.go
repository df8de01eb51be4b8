package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// repository is a git repository with a working tree.
type repository struct {
	root string // its top directory
	env  []string
}

// ErrNoRepository says that a directory is in no git repository.
var ErrNoRepository = errors.New("this directory is in no git repository")

// openRepository finds the repository that a directory is in, and the
// directory's place in it. env is the environment for git.
func openRepository(ctx context.Context, dir string, env []string) (repo *repository, prefix string, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, "", fmt.Errorf("there is no git on this machine, which revisions are read with: install it, or compare dir:PATH: %w", err)
	}
	// A hook that runs this program has an index and a prefix of its own.
	env = slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "GIT_INDEX_FILE" || name == "GIT_PREFIX" || name == "GIT_DIR" || name == "GIT_WORK_TREE"
	})
	// What only looks does not write: not even the dates in the index.
	env = append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	repo = &repository{root: dir, env: env}
	root, err := repo.line(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w: %w", dir, ErrNoRepository, err)
	}
	if prefix, err = repo.line(ctx, "rev-parse", "--show-prefix"); err != nil {
		return nil, "", err
	}
	repo.root = filepath.FromSlash(root)
	return repo, filepath.FromSlash(strings.TrimSuffix(prefix, "/")), nil
}

// gitError is a git command that failed.
type gitError struct {
	command, output string
	err             error
}

func (e *gitError) Error() string {
	if e.output == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %s", e.command, e.output)
}

func (e *gitError) Unwrap() error { return e.err }

// run runs git in the repository's top directory and returns what it printed.
func (r *repository) run(ctx context.Context, more []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", r.root}, args...)...)
	cmd.Env = append(slices.Clone(r.env), more...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, &gitError{command: args[0], output: strings.TrimSpace(stderr.String()), err: err}
	}
	return out, nil
}

// line runs git and returns the first line that it printed.
func (r *repository) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.run(ctx, nil, args...)
	first, _, _ := strings.Cut(string(out), "\n")
	return first, err
}

// list runs git and returns the names that it printed, each ended by a NUL.
func (r *repository) list(ctx context.Context, args ...string) ([]string, error) {
	out, err := r.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), nil
}

// commit returns the full hash of a revision.
func (r *repository) commit(ctx context.Context, revision string) (string, error) {
	hash, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err == nil {
		return hash, nil
	}
	if ctx.Err() != nil {
		return "", err
	}
	if r.shallow(ctx) {
		return "", fmt.Errorf("revision %q is not in this shallow clone: run git fetch --unshallow, or git fetch origin %s", revision, revision)
	}
	if remote, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", "origin/"+revision+"^{commit}"); err == nil && remote != "" {
		return "", fmt.Errorf("revision %q is not known in %s: did you mean origin/%s?", revision, r.root, revision)
	}
	return "", fmt.Errorf("revision %q is not known in %s: look at git branch --all and git tag, or run git fetch", revision, r.root)
}

func (r *repository) shallow(ctx context.Context) bool {
	answer, err := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && answer == "true"
}

// mainBranches are the names that a main branch usually has.
var mainBranches = []string{"main", "master", "origin/main", "origin/master"}

// mainBranch returns the name of the main branch.
func (r *repository) mainBranch(ctx context.Context) (string, error) {
	if head, err := r.line(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil && head != "" {
		return head, nil
	}
	for _, name := range mainBranches {
		if _, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}"); err == nil {
			return name, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return "", fmt.Errorf("%s has no branch main or master: name the revision to compare with", r.root)
}

// mergeBase returns the main branch's name and the commit at which the current
// branch left it.
func (r *repository) mergeBase(ctx context.Context) (branch, hash string, err error) {
	if branch, err = r.mainBranch(ctx); err != nil {
		return "", "", err
	}
	if hash, err = r.line(ctx, "merge-base", branch, "HEAD"); err == nil && hash != "" {
		return branch, hash, nil
	}
	if r.shallow(ctx) {
		return "", "", fmt.Errorf("this shallow clone does not reach back to where the branch left %s: run git fetch --unshallow", branch)
	}
	return "", "", fmt.Errorf("the current branch and %s have no common commit: name the revision to compare with", branch)
}

// short is the beginning of a commit's hash, as people write it.
func short(hash string) string { return hash[:min(7, len(hash))] }

// hasFile reports whether a path exists.
func hasFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
