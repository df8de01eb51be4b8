package multiproc

import (
	"os"
	"testing"
)

func TestShuffledPagesAreGivenBack(t *testing.T) {
	before := residentMemory()
	if before < 1<<20 {
		t.Fatalf("this process holds %d bytes", before)
	}
	const size = 64 << 20
	for seed := range uint64(3) {
		shufflePages(size, seed)
	}
	if after := residentMemory(); after > before+size/2 {
		t.Errorf("%d bytes before and %d after", before, after)
	}
	shufflePages(0, 1)
	shufflePages(-5, 1)
	shufflePages(100, 1)
}

func TestResidentMemory(t *testing.T) {
	page := int64(os.Getpagesize())
	for text, want := range map[string]int64{"100 7 3 1 0 2 0\n": 7 * page, "": 0, "100": 0, "100 x 3": 0, "100 -7 3": 0} {
		if got := residentIn([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
