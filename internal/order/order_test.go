package order

import (
	"slices"
	"strings"
	"testing"
)

type bits []uint64

func (b *bits) Uint64() uint64 {
	v := (*b)[0]
	*b = (*b)[1:]
	return v
}

func TestSequence(t *testing.T) {
	high := uint64(1) << 63
	tests := []struct {
		name string
		seq  *Sequence
		want string
	}{
		{"ABBA alternates", New(ABBA, nil), "fbfbfb"},
		{"zero value is ABBA", &Sequence{}, "fbfbfb"},
		{"sequential never turns", New(Sequential, nil), "ffffff"},
		{"random follows the coin", New(Random, &bits{0, high, high, 0, high, 1}), "fbbfbf"},
		{"blocks turn in pairs", New(Blocks, &bits{0, high, high}), "fbbfbf"},
		{"blocks without a coin are ABBA", New(Blocks, nil), "fbfbfb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			for range len(tt.want) {
				if tt.seq.Next() {
					got.WriteByte('f')
				} else {
					got.WriteByte('b')
				}
			}
			if got.String() != tt.want {
				t.Errorf("directions %s, want %s", got.String(), tt.want)
			}
		})
	}
}

func TestNestedKeepsNeighboursBalanced(t *testing.T) {
	want := []Slot{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	if got := Nested(2); !slices.Equal(got, want) {
		t.Fatalf("Nested(2) = %v, want %v", got, want)
	}
	// Over forward and backward rounds no arm runs more than two batches in a
	// row, and both replicas of an arm sit at the same mean position.
	var visited []int
	sum := map[Slot]int{}
	seq := New(ABBA, nil)
	for range 20 {
		forward := seq.Next()
		for position := range want {
			slot := want[Visit(position, len(want), forward)]
			visited = append(visited, slot.Arm)
			sum[slot] += position
		}
	}
	for i := 3; i < len(visited); i++ {
		if visited[i] == visited[i-1] && visited[i] == visited[i-2] {
			t.Fatalf("arm %d ran three batches in a row at %d", visited[i], i)
		}
	}
	for slot, total := range sum {
		if total != 30 {
			t.Errorf("slot %v has position sum %d, want 30", slot, total)
		}
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[Kind]string{ABBA: "ABBA", Random: "Random", Sequential: "Sequential", Blocks: "Blocks", 9: "unknown"} {
		if kind.String() != want {
			t.Errorf("Kind(%d) = %q, want %q", kind, kind, want)
		}
	}
	if Kind(9).Known() || Kind(-1).Known() || !Sequential.Known() {
		t.Error("Known does not tell the defined orders from the others")
	}
}
