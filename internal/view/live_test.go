package view

import (
	"math"
	"testing"
	"time"
)

func TestLiveLine(t *testing.T) {
	infinite := math.Inf(1)
	tests := []struct {
		name string
		live Live
		want string
	}{
		{"warming", Live{Stage: "piloting", Elapsed: 340 * time.Millisecond, Left: 9660 * time.Millisecond}, "warming up · 300ms, at most 9.7s left"},
		{"first unit", Live{Name: "rewrite", Stage: "measuring", Elapsed: 12 * time.Second, Pairs: []Difference{{A: "A", B: "B", LogRatio: 0.1, Low: -infinite, High: infinite}}},
			"rewrite · unit 1, 0 runs · B/A 1.105 [? ?] · 12s so far"},
		{"later", Live{Stage: "measuring", Unit: 4, Runs: 118, Margin: math.Log1p(0.01), Elapsed: 3200 * time.Millisecond, Left: 6800 * time.Millisecond,
			Pairs: []Difference{{A: "A", B: "B", LogRatio: -0.106, Low: -0.123, High: -0.09}}},
			"unit 5, 118 runs · B/A 0.899 [0.884 0.914] · clear outside 1, equal within 1% · 3.2s, at most 6.8s left"},
		{"exact", Live{Stage: "measuring", Unit: 1, Units: 5, Runs: 1}, "unit 2 of 5, 1 run · 0s so far"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.live.Line(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
