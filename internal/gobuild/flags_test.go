package gobuild

import (
	"slices"
	"testing"
)

func TestGOFLAGSAreSplitAndJoined(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		"-mod=mod  -tags=a,b":             {"-mod=mod", "-tags=a,b"},
		"'-ldflags=-X main.v=1 -s' -race": {"-ldflags=-X main.v=1 -s", "-race"},
		`"-ldflags=-X 'main.v=a b'"`:      {"-ldflags=-X 'main.v=a b'"},
		"\t-v\n":                          {"-v"},
	} {
		got, err := splitFlags(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("splitFlags(%q) = %q, %v; want %q", text, got, err, want)
		}
		joined, err := joinFlags(want)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := splitFlags(joined); err != nil || !slices.Equal(again, want) {
			t.Errorf("joined they are %q, which is %q (%v)", joined, again, err)
		}
	}
	if _, err := splitFlags("'-ldflags=-s"); err == nil {
		t.Error("a missing quotation mark is no error")
	}
	if _, err := joinFlags([]string{`-x=a 'b' "c"`}); err == nil {
		t.Error("both kinds of quotation marks are no error")
	}
}

func TestLinkerFlagsAreMerged(t *testing.T) {
	for _, test := range []struct {
		user   []string
		layout int
		want   []string
	}{
		{nil, 0, []string{}},
		{nil, 7, []string{"-ldflags=-randlayout=7"}},
		{[]string{"-X main.v=1"}, 0, []string{"-ldflags=-X main.v=1"}},
		{[]string{"-X main.v=1"}, 7, []string{"-ldflags=-randlayout=7", "-ldflags=-X main.v=1 -randlayout=7"}},
		{[]string{"all=-s", "example.com/m=-w"}, 2, []string{"-ldflags=-randlayout=2", "-ldflags=all=-s -randlayout=2", "-ldflags=example.com/m=-w -randlayout=2"}},
		{[]string{""}, 3, []string{"-ldflags=-randlayout=3", "-ldflags=-randlayout=3"}},
	} {
		if got := linkerFlags(test.user, test.layout); !slices.Equal(got, test.want) {
			t.Errorf("linkerFlags(%q, %d) = %q, want %q", test.user, test.layout, got, test.want)
		}
	}
}

func TestFlagsAreSorted(t *testing.T) {
	got, err := sortFlags([]string{"-tags", "a b", "-race", "--ldflags=-s", "-overlay", "o.json", "-modfile=x.mod", "-trimpath", "-cover=false", "-gcflags=all=-N"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-tags=a b", "-race", "-cover=false", "-gcflags=all=-N"}; !slices.Equal(got.rest, want) {
		t.Errorf("the rest is %q, want %q", got.rest, want)
	}
	if !slices.Equal(got.linker, []string{"-s"}) || got.overlay != "o.json" || got.modFile != "x.mod" || !slices.Equal(got.instances, []string{"race"}) {
		t.Errorf("sorted they are %+v", got)
	}
	for _, wrong := range [][]string{{"tags=x"}, {"-tags"}, {"-o=x"}, {"-c"}, {"-"}} {
		if got, err := sortFlags(wrong); err == nil {
			t.Errorf("%q is sorted as %+v, want an error", wrong, got)
		}
	}
}

func FuzzSplitFlags(f *testing.F) {
	f.Add("-mod=mod '-ldflags=-s -w'")
	f.Add(`"`)
	f.Fuzz(func(t *testing.T, text string) {
		flags, err := splitFlags(text)
		if err != nil {
			return
		}
		joined, err := joinFlags(flags)
		if err != nil {
			return
		}
		again, err := splitFlags(joined)
		if err != nil || !slices.Equal(again, slices.DeleteFunc(flags, func(s string) bool { return s == "" })) {
			t.Errorf("%q is %q, joined %q, which is %q (%v)", text, flags, joined, again, err)
		}
	})
}
