package rtcompare

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"unsafe"
)

const (
	smallestSpacer = 8
	largestSpacer  = 32 << 10
	// spacerBytes bounds the filler of one size and one kind.
	spacerBytes = 64 << 10
	// largestBlock bounds the one large block.
	largestBlock = 16 << 20
)

// filler is how many bytes of the heap all living Spacers occupy. It is the one
// variable this package shares, because the heap it describes is shared, too:
// LiveHeap must not count filler, whichever part of the program made it.
var filler atomic.Uint64

// Spacers holds the memory that PerturbHeap took. It has no use but to stay
// reachable: as long as it is, that memory goes to nobody else. The zero value
// and nil hold nothing.
type Spacers struct {
	plain    []*byte           // objects the collector does not look into
	pointers []*unsafe.Pointer // objects it does, which lie in other places
	block    []byte
	bytes    int
}

// PerturbHeap fills a pseudo-random part of every small allocation size, and one
// large block, so that what is allocated afterwards lies at other addresses and
// in other cache sets for every seed. The same seed takes the same memory; 0 is
// a seed like any other.
//
// Without it the same program lays out its heap the same way in every process,
// and an advantage that one candidate has by its addresses comes back in each,
// where no number of processes averages it out. Give each process its own seed
// and record it. Call PerturbHeap first thing, before any fixture is built, and
// keep the result until the last measurement is over:
//
//	defer rtcompare.PerturbHeap(seed).KeepAlive()
//
// Package multiproc does this in every process it starts. The order in which
// fixtures are built has to vary as well; see DPRNG.Shuffle. Code, stacks and
// the environment keep their addresses.
//
// It takes about 4 MB on average in small objects, up to 16 MiB in a block whose
// pages are mostly never touched, and a few milliseconds.
func PerturbHeap(seed uint64) *Spacers {
	rng := seeded(seed)
	sizes := spacerSizes()
	rng.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })

	s := new(Spacers)
	for _, size := range sizes {
		most := uint32(spacerBytes / size)
		s.addPlain(size, int(rng.Uint32N(most+1)))
		s.addPointers(size, int(rng.Uint32N(most+1)))
	}
	s.block = make([]byte, rng.Uint32N(largestBlock+1))
	const pointer = int(unsafe.Sizeof(unsafe.Pointer(nil)))
	s.bytes += len(s.block) + (cap(s.plain)+cap(s.pointers))*pointer

	filler.Add(uint64(s.bytes))
	runtime.AddCleanup(s, func(bytes uint64) { filler.Add(-bytes) }, uint64(s.bytes))
	return s
}

// spacerSizes lists the object sizes in bytes. They lie about as densely as the
// allocator's own size classes: steps of 8, later of an eighth. The largest size
// the allocator keeps a class for comes last, whatever the steps.
func spacerSizes() []int {
	var sizes []int
	for size := smallestSpacer; size < largestSpacer; size += max(8, size/8&^7) {
		sizes = append(sizes, size)
	}
	return append(sizes, largestSpacer)
}

func (s *Spacers) addPlain(size, count int) {
	for range count {
		s.plain = append(s.plain, unsafe.SliceData(make([]byte, size)))
	}
	s.bytes += size * count
}

func (s *Spacers) addPointers(size, count int) {
	const pointer = int(unsafe.Sizeof(unsafe.Pointer(nil)))
	for range count {
		s.pointers = append(s.pointers, unsafe.SliceData(make([]unsafe.Pointer, size/pointer)))
	}
	s.bytes += size * count
}

// Bytes returns how many bytes the spacers take, the large block and the lists
// that hold the small objects included, the allocator's rounding not. It is 0
// for nil.
func (s *Spacers) Bytes() int {
	if s == nil {
		return 0
	}
	return s.bytes
}

// KeepAlive keeps the spacers reachable until it is called. Call it after the
// last measurement.
func (s *Spacers) KeepAlive() { runtime.KeepAlive(s) }

// fillerBytes returns how many bytes of the heap are filler.
func fillerBytes() uint64 { return filler.Load() }

// liveHeap returns the bytes that the last garbage collection found reachable,
// without filler. It is 0 before the first collection, where the runtime does
// not tell, and where filler was added since the last collection.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	live, spacers := sample[0].Value.Uint64(), fillerBytes()
	if live < spacers {
		return 0
	}
	return live - spacers
}
