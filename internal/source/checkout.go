package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkOut writes the files of a commit into a directory, with an index that is
// thrown away. It returns warnings about what is not there.
func (r *repository) checkOut(ctx context.Context, hash, dir string) (warnings []string, err error) {
	scratch, err := os.MkdirTemp("", "rtcompare-index-")
	if err != nil {
		return nil, fmt.Errorf("checking out %s: %w", short(hash), err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	index := "GIT_INDEX_FILE=" + filepath.Join(scratch, "index")
	if _, err := r.run(ctx, []string{index}, "read-tree", hash); err != nil {
		return nil, fmt.Errorf("checking out %s: %w", short(hash), err)
	}
	prefix := filepath.ToSlash(dir) + "/"
	if _, err := r.run(ctx, []string{index}, "checkout-index", "--all", "--force", "--prefix="+prefix); err != nil {
		return nil, fmt.Errorf("checking out %s: %w", short(hash), err)
	}
	return r.checkOutSubmodules(ctx, hash, dir)
}

// checkOutSubmodules fills in the submodules of a commit from the repositories
// that the working tree has of them.
func (r *repository) checkOutSubmodules(ctx context.Context, hash, dir string) (warnings []string, err error) {
	out, err := r.run(ctx, nil, "ls-tree", "-r", "-z", hash)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		// mode SP type SP hash TAB path
		about, path, ok := strings.Cut(entry, "\t")
		words := strings.Fields(about)
		if !ok || len(words) != 3 || words[1] != "commit" {
			continue
		}
		missing := fmt.Sprintf("submodule %s is not there at %s: run git submodule update --init %s", path, short(words[2]), path)
		inside := &repository{root: filepath.Join(r.root, filepath.FromSlash(path)), env: r.env}
		if !hasFile(filepath.Join(inside.root, ".git")) {
			warnings = append(warnings, missing)
			continue
		}
		if _, err := inside.commit(ctx, words[2]); err != nil {
			if ctx.Err() != nil {
				return warnings, err
			}
			warnings = append(warnings, missing)
			continue
		}
		more, err := inside.checkOut(ctx, words[2], filepath.Join(dir, filepath.FromSlash(path)))
		warnings = append(warnings, more...)
		if err != nil {
			return warnings, fmt.Errorf("submodule %s: %w", path, err)
		}
	}
	return warnings, nil
}
