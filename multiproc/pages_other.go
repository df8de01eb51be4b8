//go:build !linux

package multiproc

// shufflePages does nothing here: how this system hands out physical memory is
// not known, and neither is how to change it.
func shufflePages(int64, uint64) {}

// residentMemory is not known.
func residentMemory() int64 { return 0 }
