package multiproc

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
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/proc"
)

// relinked are the running program's copies in other layouts.
type relinked struct {
	paths    []string
	warnings []string
}

// relink builds the running program in so many layouts: its functions linked in
// other orders. Only the linker runs: everything that is compiled comes from the
// go command's cache, so that a layout costs about a second. The copies are kept in the user's cache, by
// what is in them.
func relink(ctx context.Context, layouts int, test bool, dir string) (relinked, error) {
	b, err := findBuild(test)
	if err != nil {
		return relinked{}, err
	}
	if _, err := os.Stat(dir); err == nil {
		b.dir = dir // else the program was built elsewhere, and this directory has to do
	}
	if err := b.checkSource(ctx); err != nil {
		return relinked{}, err
	}
	key, err := b.key(ctx)
	if err != nil {
		return relinked{}, err
	}
	cache, err := layoutCache(key)
	if err != nil {
		return relinked{}, err
	}
	found := relinked{warnings: b.warnings}
	hashes := make(map[string]int, layouts)
	for order := 1; order <= layouts; order++ {
		path := filepath.Join(cache, fmt.Sprintf("layout-%d%s", order, executableSuffix))
		if err := b.link(ctx, order, path); err != nil {
			return relinked{}, err
		}
		hash, err := hashFile(path)
		if err != nil {
			return relinked{}, err
		}
		if same, ok := hashes[hash]; ok {
			return relinked{}, fmt.Errorf("layouts %d and %d are the same program: this linker does not change the order (-randlayout)", same, order)
		}
		hashes[hash] = order
		found.paths = append(found.paths, path)
	}
	return found, nil
}

// checkSource makes sure that the go command would build this very program.
func (b *build) checkSource(ctx context.Context) error {
	version, err := b.goCommand(ctx, "env", "GOVERSION")
	if err != nil {
		return err
	}
	if version = strings.TrimSpace(version); version != runtime.Version() {
		return fmt.Errorf("the program was built with %s and the go command here is %s", runtime.Version(), version)
	}
	listed, err := b.goCommand(ctx, b.with("list", "-f", "{{.ImportPath}}", b.pkg)...)
	if err != nil {
		return fmt.Errorf("the source of %s is not to be found from %s; run the program inside of its module: %w", b.pkg, b.dir, err)
	}
	if strings.TrimSpace(listed) != b.pkg {
		return fmt.Errorf("%s is %s for the go command in %s", b.pkg, strings.TrimSpace(listed), b.dir)
	}
	return nil
}

// key identifies what the linker is going to put together: the build IDs of all
// packages and how they are linked. Listing them compiles what is not compiled.
func (b *build) key(ctx context.Context) (string, error) {
	args := []string{"list", "-deps", "-export", "-f", "{{.ImportPath}} {{.BuildID}}"}
	if b.test {
		args = append(args, "-test")
	}
	ids, err := b.goCommand(ctx, b.with(append(args, b.pkg)...)...)
	if err != nil {
		return "", fmt.Errorf("compiling %s: %w", b.pkg, err)
	}
	hash := sha256.Sum256([]byte(strings.Join([]string{ids, b.linkFlags, strings.Join(b.flags, "\n"), strings.Join(b.env, "\n")}, "\x00")))
	return hex.EncodeToString(hash[:16]), nil
}

// link makes one copy, unless it is there. It is linked under another name and
// renamed, so that a copy is whole wherever there is one.
func (b *build) link(ctx context.Context, order int, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	temporary := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	defer func() { _ = os.Remove(temporary) }()
	args := []string{"build"}
	if b.test {
		args = []string{"test", "-c", "-vet=off"}
	}
	flags := strings.TrimSpace(b.linkFlags + " -randlayout=" + strconv.Itoa(order))
	args = b.with(append(args, "-o", temporary, "-ldflags="+flags, b.pkg)...)
	if _, err := b.goCommand(ctx, args...); err != nil {
		return fmt.Errorf("linking %s in order %d: %w", b.pkg, order, err)
	}
	return os.Rename(temporary, path)
}

// with puts the build's flags behind the name of a go command, where all of
// them are accepted.
func (b *build) with(args ...string) []string {
	return append(append([]string{args[0]}, b.flags...), args[1:]...)
}

// goCommand runs the go command and returns what it printed.
func (b *build) goCommand(ctx context.Context, args ...string) (string, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("the go command is needed, and it is not on the PATH")
	}
	var out, problems bytes.Buffer
	exit, err := proc.Run(ctx, proc.Command{Path: tool, Args: args, Dir: b.dir, Env: append(os.Environ(), b.env...), Stdout: &out, Stderr: &problems})
	switch {
	case err != nil:
		return "", err
	case exit.Cancelled:
		return "", stopped(ctx)
	case exit.Code != 0:
		return "", fmt.Errorf("go %s: %v\n%s", args[0], exit, indent(problems.String()))
	}
	return out.String(), nil
}

var executableSuffix = map[string]string{"windows": ".exe"}[runtime.GOOS]

// keptLayouts is how long copies are kept that nobody uses.
const keptLayouts = 30 * 24 * time.Hour

// layoutCache is the directory for the copies of one build. Old ones of other
// builds are removed.
func layoutCache(key string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	all := filepath.Join(base, "rtcompare", "layouts")
	dir := filepath.Join(all, key)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making room for the relinked programs: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now)
	entries, _ := os.ReadDir(all)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && now.Sub(info.ModTime()) > keptLayouts {
			_ = os.RemoveAll(filepath.Join(all, e.Name()))
		}
	}
	return dir, nil
}
