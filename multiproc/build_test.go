package multiproc

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestBuildIsReadFromTheProgram(t *testing.T) {
	info := func(path string, settings ...string) *debug.BuildInfo {
		b := &debug.BuildInfo{Path: path}
		for i := 0; i < len(settings); i += 2 {
			b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return b
	}
	b, err := buildOf(info("ex.com/x.test", "-buildmode", "exe", "-compiler", "gc", "-ldflags", "-X ex.com/x.v=1 -s", "-tags", "a,b", "-race", "true",
		"CGO_ENABLED", "0", "GOAMD64", "v3", "GOOS", "linux", "vcs.revision", "abc", "DefaultGODEBUG", "x=1"), true)
	if err != nil {
		t.Fatal(err)
	}
	if b.pkg != "ex.com/x" || b.linkFlags != "-X ex.com/x.v=1 -s" || len(b.warnings) > 0 ||
		!slices.Equal(b.flags, []string{"-buildmode=exe", "-tags=a,b", "-race=true"}) || !slices.Equal(b.env, []string{"CGO_ENABLED=0", "GOAMD64=v3", "GOOS=linux"}) {
		t.Errorf("%+v", b)
	}
	if b, err = buildOf(info("ex.com/cmd/x", "-trimpath", "true"), false); err != nil || b.pkg != "ex.com/cmd/x" || len(b.warnings) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	for _, tt := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{info("command-line-arguments"), "from single files"},
		{info(""), "from single files"},
		{info("x", "-compiler", "gccgo"), "built with gccgo"},
		{info("x", "-ldflags", "all=-s"), "pattern of packages"},
	} {
		if _, err := buildOf(tt.info, false); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v does not say %q", err, tt.want)
		}
	}
}

// Every link order meets every order of building.
func TestLayoutsAreSpread(t *testing.T) {
	opt := Options{Layouts: 3}.withDefaults()
	p := &parent{opt: opt, sizes: opt.sizes(), programs: []string{"a", "b", "c"}}
	seen := make(map[[2]int]int)
	for index := range p.first {
		seen[[2]int{p.layout(index), index % 2}]++
		if want := string(rune('a' + p.layout(index) - 1)); p.program(index) != want {
			t.Errorf("process %d runs %s", index, p.program(index))
		}
	}
	if len(seen) != 6 || slices.Max(valuesOf(seen)) != 1 {
		t.Errorf("%v", seen)
	}
	p.opt.Layouts, p.programs = 0, []string{"a"}
	if p.layout(7) != 0 || p.program(7) != "a" {
		t.Error("a program as it was built has no number")
	}
}

func valuesOf(m map[[2]int]int) []int {
	var all []int
	for _, v := range m {
		all = append(all, v)
	}
	return all
}
