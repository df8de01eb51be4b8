package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// treeHash is the hash of the names, the modes that matter and the contents of
// files below a directory. A name that is gone counts as gone.
func treeHash(dir string, names []string) (string, error) {
	names = slices.Clone(names)
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range slices.Compact(names) {
		if err := addFile(sum, dir, name); err != nil {
			return "", fmt.Errorf("reading the sources in %s: %w", dir, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addFile(sum hash.Hash, dir, name string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		_, _ = fmt.Fprintf(sum, "gone %q\n", name)
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		_, _ = fmt.Fprintf(sum, "link %q %q\n", name, target)
		return err
	case !info.Mode().IsRegular():
		_, _ = fmt.Fprintf(sum, "other %q\n", name)
		return nil
	}
	_, _ = fmt.Fprintf(sum, "file %q %v %d\n", name, info.Mode()&0o100 != 0, info.Size())
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(sum, f)
	return err
}

// filesBelow lists all files below a directory, without those of version
// control.
func filesBelow(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != dir && (name == ".git" || name == ".hg" || name == ".svn") {
				return filepath.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}

// inventory is a hash of names, sizes and dates of all files below a directory:
// enough to see that something has written there.
func inventory(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		_, _ = fmt.Fprintf(sum, "%q %d %d %v\n", name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// pointerLine begins a file that stands for a large one.
const pointerLine = "version https://git-lfs.github.com/spec/"

// largestPointer bounds such a file.
const largestPointer = 1024

// pointers lists the files below a directory that git LFS has not fetched.
func pointers(dir string) ([]string, error) {
	names, err := filesBelow(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > largestPointer || info.Size() < int64(len(pointerLine)) {
			continue
		}
		if text, err := os.ReadFile(path); err == nil && bytes.HasPrefix(text, []byte(pointerLine)) {
			found = append(found, name)
		}
	}
	return found, nil
}

// pointerWarning says what is missing, or nothing.
func pointerWarning(dir string) ([]string, error) {
	found, err := pointers(dir)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	shown := strings.Join(found[:min(3, len(found))], ", ")
	if len(found) > 3 {
		shown += ", …"
	}
	return []string{fmt.Sprintf("%d files are only pointers to what git LFS stores (%s): install git-lfs and run git lfs install and git lfs fetch --all", len(found), shown)}, nil
}
