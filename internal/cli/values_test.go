package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestShare(t *testing.T) {
	for text, want := range map[string]float64{"1%": 0.01, "0.01": 0.01, "0": 0, " 2.5 % ": 0.025, "150%": 1.5, "1e-3": 0.001} {
		var v float64
		if err := (share{&v}).Set(text); err != nil || v != want {
			t.Errorf("share %q is %v, %v, want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"", "%", "1", "5", "-1%", "-0.1", "nan", "inf", "+Inf%", "1%%", "one"} {
		v := 0.5
		if err := (share{&v}).Set(text); err == nil || v != 0.5 {
			t.Errorf("share %q is taken as %v, %v", text, v, err)
		}
	}
}

func TestSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{"10s": 10 * time.Second, "2m": 2 * time.Minute, "3": 3 * time.Second, "0.5": time.Second / 2, "0": 0} {
		var v time.Duration
		if err := (span{&v}).Set(text); err != nil || v != want {
			t.Errorf("span %q is %v, %v, want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"", "soon", "-3", "-3s", "nan", "inf", "1e300", "10 parsecs"} {
		v := time.Hour
		if err := (span{&v}).Set(text); err == nil || v != time.Hour {
			t.Errorf("span %q is taken as %v, %v", text, v, err)
		}
	}
}

func TestJoinValues(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"cmd -P n 1 3 x", "cmd --parameter-scan=n\x001\x003 x"},
		{"cmd -L n a,b --parameter-list m c x", "cmd --parameter-list=n\x00a,b --parameter-list=m\x00c x"},
		{"cmd x -- -L n", "cmd x -- -L n"},
		{"cmd", "cmd"},
		{"cmd --runs 3 x", "cmd --runs 3 x"},
	} {
		got, err := joinValues(strings.Split(c.in, " "))
		if diff := cmp.Diff(strings.Split(c.want, " "), got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got)\n%s", c.in, err, diff)
		}
	}
	for _, in := range []string{"cmd -P", "cmd -P n 1", "cmd -L n"} {
		if got, err := joinValues(strings.Split(in, " ")); err == nil {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
}

func FuzzJoinValues(f *testing.F) {
	f.Add("cmd\n-P\nn\n1\n3\nx")
	f.Add("-L\n-L\n--\n-L")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "="+separator) {
			return
		}
		words := strings.Split(text, "\n")
		joined, err := joinValues(words)
		if err != nil {
			return
		}
		// Taken apart again, no word is lost and none is made up.
		apart := strings.Split(strings.ReplaceAll(strings.Join(joined, separator), "=", separator), separator)
		if diff := cmp.Diff(longNames(words), longNames(apart)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", words, diff)
		}
	})
}

// longNames writes the letters of flags with several values as their names.
func longNames(words []string) []string {
	long := slices.Clone(words)
	for i, word := range long {
		switch word {
		case "-P":
			long[i] = "--parameter-scan"
		case "-L":
			long[i] = "--parameter-list"
		}
	}
	return long
}
