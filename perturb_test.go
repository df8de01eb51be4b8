package rtcompare

import (
	"runtime"
	"testing"
	"time"
)

func TestSpacerSizes(t *testing.T) {
	sizes := spacerSizes()
	if len(sizes) != 65 || sizes[0] != 8 || sizes[len(sizes)-1] != 32<<10 {
		t.Fatalf("%d sizes from %d to %d", len(sizes), sizes[0], sizes[len(sizes)-1])
	}
	for i, size := range sizes {
		if size%8 != 0 {
			t.Errorf("%d is no multiple of 8", size)
		}
		if i > 0 {
			if step := size - sizes[i-1]; step < 8 || step > sizes[i-1]/8+8 {
				t.Errorf("step of %d after %d", step, sizes[i-1])
			}
		}
	}
}

func TestPerturbHeapIsSeeded(t *testing.T) {
	// Both kinds of every size, their lists, and the block.
	bound := 2*len(spacerSizes())*spacerBytes + 1<<20 + largestBlock
	seen := map[int]uint64{}
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 63} {
		first, second := PerturbHeap(seed), PerturbHeap(seed)
		if first.Bytes() != second.Bytes() {
			t.Errorf("seed %d: %d bytes, then %d", seed, first.Bytes(), second.Bytes())
		}
		if first.Bytes() < 1 || first.Bytes() > bound {
			t.Errorf("seed %d: %d bytes, bound %d", seed, first.Bytes(), bound)
		}
		if other, taken := seen[first.Bytes()]; taken {
			t.Errorf("seeds %d and %d take the same %d bytes", seed, other, first.Bytes())
		}
		seen[first.Bytes()] = seed
		first.KeepAlive()
		second.KeepAlive()
	}
}

func TestSpacersNil(t *testing.T) {
	var none *Spacers
	none.KeepAlive()
	if none.Bytes() != 0 || new(Spacers).Bytes() != 0 {
		t.Error("nothing takes memory")
	}
}

// waitForFiller collects garbage until the filler is what is wanted. Cleanups
// run some time after the collection that finds their object unreachable.
func waitForFiller(want uint64) bool {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		runtime.GC()
		if fillerBytes() == want {
			return true
		}
	}
	return false
}

func TestFillerIsLeftOutOfLiveHeap(t *testing.T) {
	if !waitForFiller(0) {
		t.Skipf("%d bytes of filler are in use elsewhere", fillerBytes())
	}
	before := liveHeap()
	spacers := PerturbHeap(4)
	if got := fillerBytes(); got != uint64(spacers.Bytes()) {
		t.Errorf("%d bytes of filler, %d in the spacers", got, spacers.Bytes())
	}
	runtime.GC()
	with := liveHeap()
	spacers.KeepAlive()
	// The allocator rounds sizes up; that is less than an eighth.
	if before == 0 || with > before+uint64(spacers.Bytes())/8+1<<20 {
		t.Errorf("live heap went from %d to %d with %d bytes of filler", before, with, spacers.Bytes())
	}
	spacers = nil
	if !waitForFiller(0) {
		t.Errorf("%d bytes of filler are left", fillerBytes())
	}
}

func TestLiveHeapIsNeverNegative(t *testing.T) {
	spacers := PerturbHeap(5)
	filler.Add(1 << 50)
	got := liveHeap()
	filler.Add(^uint64(1<<50 - 1))
	if got != 0 {
		t.Errorf("live heap of %d with more filler than heap", got)
	}
	spacers.KeepAlive()
}

func BenchmarkPerturbHeap(b *testing.B) {
	seed := uint64(0)
	for b.Loop() {
		PerturbHeap(seed).KeepAlive()
		seed++
	}
}
