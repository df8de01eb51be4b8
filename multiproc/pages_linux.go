package multiproc

import (
	"bytes"
	"os"
	"strconv"

	"github.com/rtcompare/rtcompare"
	"golang.org/x/sys/unix"
)

// mostShuffled is as much memory as a child shuffles at most; that takes it
// about half a second.
const mostShuffled = 1 << 30

// shufflePages takes so many bytes of physical memory and gives them back page by
// page, in an order that the seed decides.
//
// The kernel hands out first what it got back last. A process that allocates in
// the same order as the one before it gets that one's physical pages in reverse;
// and as the order of building alternates, each candidate gets again the pages
// that it had in the process before. Where these lie decides how they meet in
// caches that go by physical addresses, so that a difference between A and B
// would be handed on from process to process, and processes would not be
// independent observations. Where the memory cannot be had, nothing happens.
func shufflePages(size int64, seed uint64) {
	page := int64(os.Getpagesize())
	size = min(size, mostShuffled) / page * page
	if size <= 0 {
		return
	}
	block, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return
	}
	defer func() { _ = unix.Munmap(block) }()
	_ = unix.Madvise(block, unix.MADV_NOHUGEPAGE)
	starts := make([]int64, 0, size/page)
	for at := int64(0); at < size; at += page {
		block[at] = 1 // so that there is a page behind it
		starts = append(starts, at)
	}
	rng := rtcompare.NewDPRNG(mix(seed^pageSalt) | 1)
	rng.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	for _, at := range starts {
		_ = unix.Madvise(block[at:at+page], unix.MADV_DONTNEED)
	}
}

// residentMemory is how many bytes of physical memory the process holds, zero
// where that is not known.
func residentMemory() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	return residentIn(text)
}

// residentIn is the second number of the file, in bytes.
func residentIn(statm []byte) int64 {
	fields := bytes.Fields(statm)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil || pages < 0 {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
