package host

import (
	"path/filepath"
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		tree string
		want Load
	}{
		{"laptop", Load{LoadAverage: 1.52, PressureCPU: 12.35, Stalled: 2827654 * time.Microsecond, Ticks: 9380, Overheated: 7}},
		{"guest", Load{LoadAverage: 3.1, PressureCPU: -1, Steal: 50, Ticks: 1000, Throttled: 7}},
		{"pod", Load{LoadAverage: -1, PressureCPU: 45, Stalled: 100 * time.Microsecond, Throttled: 5}},
		{"no such tree", Load{LoadAverage: -1, PressureCPU: -1}},
	} {
		got := Open(filepath.Join("testdata", c.tree)).Load()
		if got.Taken <= 0 {
			t.Errorf("%s: taken at %v", c.tree, got.Taken)
		}
		got.Taken = 0
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.tree, got, c.want)
		}
	}
}

func TestParsePressure(t *testing.T) {
	for _, c := range []struct {
		text  string
		share float64
		total time.Duration
	}{
		{"", -1, 0},
		{"some avg10=1.50 avg60=0.00 avg300=0.00 total=7", 1.5, 7 * time.Microsecond},
		{"full avg10=9.00 total=1\nsome avg10=2.00 total=3", 2, 3 * time.Microsecond},
		{"some avg10=x total=y", -1, 0},
		{"some", -1, 0},
	} {
		share, total := parsePressure(c.text)
		if share != c.share || total != c.total {
			t.Errorf("%q: %v and %v, want %v and %v", c.text, share, total, c.share, c.total)
		}
	}
}

func TestParseTicks(t *testing.T) {
	for _, c := range []struct {
		text       string
		steal, all uint64
	}{
		{"", 0, 0},
		{"cpu  1 2 3 4 5 6 7 8 9 10", 8, 36},
		{"cpu  1 2 3 4 5 6 7 8", 8, 36},
		{"cpu  1 2 3 4 5 6 7", 0, 0},
		{"cpu  1 2 x 4 5 6 7 8", 0, 0},
		{"intr 1 2 3 4 5 6 7 8 9", 0, 0},
	} {
		steal, all := parseTicks(c.text)
		if steal != c.steal || all != c.all {
			t.Errorf("%q: %d of %d, want %d of %d", c.text, steal, all, c.steal, c.all)
		}
	}
}

func TestParseLoadAverage(t *testing.T) {
	for text, want := range map[string]float64{"": -1, "x": -1, "-2 1": -1, "0.25 0.1 0.0 1/2 3": 0.25, "4": 4} {
		if got := parseLoadAverage(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
