package gobuild

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare/internal/source"
)

// Side is one side of a comparison: a binary, and what its processes get.
type Side struct {
	Version   source.Version
	Binary    Binary
	Env, Args []string
}

// Difference returns what is different between two sides, or nothing: then both
// would run the same machine code on the same files with the same environment
// and flags, and there is nothing to measure. Files are those of the package
// that are no Go source, and all in directories named testdata. Files that a
// benchmark reads elsewhere are not known here.
func Difference(a, b Side) (string, error) {
	switch {
	case a.Binary.Hash != b.Binary.Hash:
		return "the machine code", nil
	case !slices.Equal(a.Args, b.Args):
		return "the flags", nil
	}
	if name := differentVariable(a, b); name != "" {
		return "the environment variable " + name, nil
	}
	left, err := files(a)
	if err != nil {
		return "", err
	}
	right, err := files(b)
	if err != nil {
		return "", err
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for _, side := range []map[string][sha256.Size]byte{left, right} {
			for name := range side {
				if !yield(name) {
					return
				}
			}
		}
	})
	for _, name := range names {
		one, isLeft := left[name]
		other, isRight := right[name]
		if one != other || isLeft != isRight {
			return "the file " + name, nil
		}
	}
	return "", nil
}

// differentVariable returns the name of a variable that differs. PWD does by
// nature.
func differentVariable(a, b Side) string {
	left, right := variables(a.Env), variables(b.Env)
	for _, both := range [][2]map[string]string{{left, right}, {right, left}} {
		for name, value := range both[0] {
			if other, ok := both[1][name]; name != "PWD" && (!ok || value != other) {
				return name
			}
		}
	}
	return ""
}

func variables(env []string) map[string]string {
	all := map[string]string{}
	for _, entry := range env {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	return all
}

// files returns the hashes of the files that benchmarks of a side are likely to
// read, by their names below the top directory.
func files(s Side) (map[string][sha256.Size]byte, error) {
	found := map[string][sha256.Size]byte{}
	err := filepath.WalkDir(s.Version.Root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git" && path != s.Version.Root:
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(s.Version.Root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		ofPackage := filepath.Ext(path) != ".go" && below(s.Binary.Package.Dir, path)
		if !ofPackage && !strings.Contains("/"+name, "/testdata/") {
			return nil
		}
		text, err := os.ReadFile(path)
		found[name] = sha256.Sum256(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the files of %s at %s: %w", s.Binary.Package.ImportPath, s.Version.Name, err)
	}
	return found, nil
}

// BuildDifferences lists what two binaries say differently about their making:
// the toolchain, modules and settings. Revisions and link orders differ by
// nature.
func BuildDifferences(a, b *debug.BuildInfo) []string {
	if a == nil || b == nil {
		return nil
	}
	var all []string
	if a.GoVersion != b.GoVersion {
		all = append(all, fmt.Sprintf("toolchain: %s, %s", a.GoVersion, b.GoVersion))
	}
	return append(append(all, compare("module ", modules(a), modules(b))...), compare("setting ", settings(a), settings(b))...)
}

func compare(what string, left, right map[string]string) []string {
	var all []string
	for name, value := range left {
		other, ok := right[name]
		switch {
		case !ok:
			all = append(all, fmt.Sprintf("%s%s: %s, none", what, name, value))
		case value != other:
			all = append(all, fmt.Sprintf("%s%s: %s, %s", what, name, value, other))
		}
	}
	for name, value := range right {
		if _, ok := left[name]; !ok {
			all = append(all, fmt.Sprintf("%s%s: none, %s", what, name, value))
		}
	}
	slices.Sort(all)
	return all
}

func modules(info *debug.BuildInfo) map[string]string {
	all := map[string]string{}
	for _, module := range info.Deps {
		version := module.Version
		if module.Replace != nil {
			// A directory is at another place on either side.
			version += " (replaced)"
			if module.Replace.Version != "" {
				version = module.Replace.Path + " " + module.Replace.Version
			}
		}
		all[module.Path] = version
	}
	return all
}

func settings(info *debug.BuildInfo) map[string]string {
	all := map[string]string{}
	for _, setting := range info.Settings {
		if strings.HasPrefix(setting.Key, "vcs") {
			continue
		}
		value := setting.Value
		if setting.Key == "-ldflags" {
			value = strings.Join(slices.DeleteFunc(strings.Fields(value), func(flag string) bool { return strings.HasPrefix(flag, "-randlayout=") }), " ")
		}
		all[setting.Key] = value
	}
	return all
}
