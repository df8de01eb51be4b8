package multiproc

import (
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// build is how the running program was built, as far as its link needs it.
type build struct {
	pkg  string
	test bool
	dir  string
	// flags are those of the go command, linkFlags the value of -ldflags, env
	// the variables that the build depended on.
	flags     []string
	linkFlags string
	env       []string
	warnings  []string
}

// findBuild reads the build information of the running program.
func findBuild(test bool) (*build, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, errors.New("the program holds no build information, so it cannot be built again")
	}
	return buildOf(info, test)
}

// keptFlags are the recorded flags that change what is linked.
var keptFlags = []string{"-tags", "-race", "-msan", "-asan", "-trimpath", "-gcflags", "-asmflags", "-buildmode", "-pgo"}

// buildVariable knows the variables among the recorded settings.
var buildVariable = regexp.MustCompile(`^(CGO_|GO)[A-Z0-9_]+$`)

func buildOf(info *debug.BuildInfo, test bool) (*build, error) {
	b := &build{pkg: info.Path, test: test}
	if test {
		b.pkg = strings.TrimSuffix(info.Path, ".test")
	}
	if b.pkg == "" || b.pkg == "command-line-arguments" {
		return nil, errors.New("the program was built from single files and not from a package, so it cannot be built again")
	}
	trimmed, known := false, false
	for _, s := range info.Settings {
		switch {
		case s.Key == "-compiler" && s.Value != "gc":
			return nil, fmt.Errorf("the program was built with %s, and only gc's linker can change the order", s.Value)
		case s.Key == "-ldflags":
			b.linkFlags, known = s.Value, true
		case slices.Contains(keptFlags, s.Key):
			b.flags = append(b.flags, s.Key+"="+s.Value)
			trimmed = trimmed || s.Key == "-trimpath"
		case buildVariable.MatchString(s.Key):
			b.env = append(b.env, s.Key+"="+s.Value)
		}
	}
	if pattern, _, ok := strings.Cut(b.linkFlags, "="); ok && !strings.HasPrefix(strings.TrimLeft(pattern, `"' `), "-") {
		return nil, fmt.Errorf("the program was linked with flags for a pattern of packages (%s), which cannot be added to", b.linkFlags)
	}
	if trimmed && !known {
		b.warnings = append(b.warnings, "the program was built with -trimpath, which does not record link flags: if it was built with -ldflags, the relinked copies lack them")
	}
	return b, nil
}
