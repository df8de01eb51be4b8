package house_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestImportDirections compares what imports what with the map in
// rooms_test.go, on every system that has files of its own.
func TestImportDirections(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			packages := listPackages(t, goos)
			for _, path := range slices.Sorted(maps.Keys(packages)) {
				if problem := importProblems(packages[path]); problem != "" {
					t.Error(problem)
				}
			}
			for _, problem := range libraryProblems(packages) {
				t.Error(problem)
			}
		})
	}
}

// TestMap checks that the map says what the design wants, on examples, so that
// a slip in it does not quietly open a door.
func TestMap(t *testing.T) {
	tests := []struct {
		pkg, imported string
		want          bool
	}{
		{"internal/stat", "internal/order", false},
		{"internal/record", "internal/stat", false},
		{"internal/judge", "internal/record", true},
		{"internal/judge", "internal/engine", false},
		{"internal/engine", "internal/judge", true},
		{"internal/engine", "internal/arm/fn", false},
		{"internal/arm/fn", "internal/engine", true},
		{"internal/view", "internal/judge", true},
		{"internal/view", "internal/engine", false},
		{"internal/render", "internal/view", true},
		{"internal/render", "internal/engine", false},
		{"internal/host", "internal/cli", false},
		{"internal/judge", "internal/stat/bayes", false},
		{"internal/cli", "internal/stat/bayes", true},
		{"internal/cli", "internal/arm/command", true},
		{"internal/cli", "internal/nowhere", false},
		{"internal/engine", "", false},
		{"", "internal/engine", true},
		{"", "internal/cli", false},
		{"", "internal/stat/bayes", false},
		{"multiproc", "", true},
		{"", "multiproc", false},
		{"latency", "internal/clock", false},
		{"cmd/rtcompare", "internal/cli", true},
		{"cmd/rtcompare", "cmd/rtcompare-lab", false},
		{"examples/sort", "", true},
		{"examples/sort", "internal/engine", false},
	}
	for _, test := range tests {
		if got := mayImport(test.pkg, test.imported); got != test.want {
			t.Errorf("may %q import %q: the map says %v, want %v", test.pkg, test.imported, got, test.want)
		}
	}
	for _, pkg := range []string{"internal/util", "internal/stat/more", "helpers"} {
		if onTheMap(pkg) {
			t.Errorf("%s is on the map", pkg)
		}
	}
}

// TestMapIsWhole checks that every room the map mentions has a line in it.
func TestMapIsWhole(t *testing.T) {
	mentioned := slices.Clone(libraryRooms)
	for _, r := range rooms {
		mentioned = slices.Concat(mentioned, r.beside, r.only, r.never)
	}
	for _, name := range mentioned {
		if _, ok := roomOf(name); !ok {
			t.Errorf("%s is mentioned in the map but has no line in it", name)
		}
	}
}

// own returns the path of a package below the module, "" for its root.
func own(importPath string) (string, bool) {
	if importPath == modulePath {
		return "", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// importProblems returns the imports of one package that the map forbids, as
// one message, or "".
func importProblems(p goPackage) string {
	pkg, ok := own(p.ImportPath)
	if !ok {
		return ""
	}
	if !onTheMap(pkg) {
		return pkg + " is not on the map of the house: add it to CONTRIBUTING.md and to internal/house/rooms_test.go"
	}
	var bad []string
	for _, imported := range p.Imports {
		if below, ok := own(imported); ok && !mayImport(pkg, below) {
			bad = append(bad, imported)
		}
	}
	r, _ := roomOf(strings.TrimPrefix(pkg, "internal/"))
	for _, name := range r.never {
		if dep := modulePath + "/internal/" + name; slices.Contains(p.Deps, dep) {
			bad = append(bad, dep)
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return p.ImportPath + " must not import " + strings.Join(slices.Compact(bad), ", ") +
		" (the map is in CONTRIBUTING.md and internal/house/rooms_test.go)"
}

// onTheMap reports whether the rules say anything about a package.
func onTheMap(pkg string) bool {
	if name, ok := strings.CutPrefix(pkg, "internal/"); ok {
		_, ok := roomOf(name)
		return ok
	}
	_, library := libraryPackages[pkg]
	return library || isCommand(pkg) || isExample(pkg)
}

func isCommand(pkg string) bool { return strings.HasPrefix(pkg, "cmd/") }
func isExample(pkg string) bool { return strings.HasPrefix(pkg, "examples/") }

// mayImport reports whether the map lets one of our packages import another.
func mayImport(pkg, imported string) bool {
	_, toLibrary := libraryPackages[imported]
	to, toRoom := strings.CutPrefix(imported, "internal/")
	switch {
	case isCommand(pkg):
		// A command of several packages may import its own.
		return toLibrary || toRoom || strings.HasPrefix(imported, command(pkg))
	case isExample(pkg):
		return toLibrary // what a user could write
	case pkg == "internal/cli" && imported == "":
		return true // it shows the records that programs with the library wrote
	case strings.HasPrefix(pkg, "internal/"):
		return toRoom && roomMayImport(strings.TrimPrefix(pkg, "internal/"), to)
	default:
		return toLibrary && slices.Contains(libraryPackages[pkg], imported) ||
			toRoom && slices.Contains(libraryRoomsOf(pkg), to)
	}
}

// command returns "cmd/NAME/" for a package of that command.
func command(pkg string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pkg, "cmd/"), "/")
	return "cmd/" + name + "/"
}

// roomMayImport reports whether the map lets one room import another.
func roomMayImport(from, to string) bool {
	f, _ := roomOf(from)
	target, ok := roomOf(to)
	switch {
	case !ok:
		return false
	case f.only != nil:
		return slices.Contains(f.only, to)
	case slices.Contains(f.never, to):
		return false
	default:
		return target.floor < f.floor || slices.Contains(f.beside, to)
	}
}

// libraryProblems follows the imports of the library packages all the way down:
// a forbidden module three packages away is in the user's go.sum all the same.
func libraryProblems(packages map[string]goPackage) []string {
	var problems []string
	for pkg := range libraryPackages {
		p, ok := packages[strings.TrimSuffix(modulePath+"/"+pkg, "/")]
		if !ok {
			continue
		}
		for _, dep := range p.Deps {
			if below, ok := own(dep); ok {
				room, isRoom := strings.CutPrefix(below, "internal/")
				if isRoom && !slices.Contains(libraryRoomsOf(pkg), room) {
					problems = append(problems, p.ImportPath+" is a library package and must not depend on "+dep)
				}
				continue
			}
			if !packages[dep].Standard && (pkg == "latency" || !strings.HasPrefix(dep, "golang.org/x/sys/")) {
				problems = append(problems, p.ImportPath+" is a library package and must not depend on the module of "+dep)
			}
		}
	}
	slices.Sort(problems)
	return problems
}
