package multiproc

import "runtime"

// stackSteps is how many sizes of frames lie between the suite and the bottom
// of its stack: with each of them or not, in steps of 16 bytes up to a page.
const stackSteps = 8

// atOffset calls f with its stack shifted by a multiple of 16 bytes below 4 KiB.
// Where a stack frame lies within its page decides which loads alias with which
// stores, and the same program puts it at the same place every time. It stays
// on the goroutine, so that a test's suite may use its testing.T.
func atOffset(steps uint64, f func() error) error {
	for bit, through := range frames {
		if steps>>bit&1 == 1 {
			inner := f
			f = func() error { return through(inner) }
		}
	}
	return f()
}

// frames are functions whose frames differ by the size of one array.
var frames = [stackSteps]func(func() error) error{
	through[[16]byte], through[[32]byte], through[[64]byte], through[[128]byte],
	through[[256]byte], through[[512]byte], through[[1024]byte], through[[2048]byte],
}

// through calls f from a frame that holds a P.
//
//go:noinline
func through[P any](f func() error) error {
	var pad P
	err := f()
	runtime.KeepAlive(&pad)
	return err
}

// stackOffset is the shift of a process, in steps of 16 bytes.
func stackOffset(seed uint64) uint64 { return mix(seed^stackSalt) % (1 << stackSteps) }

// paddingLength is the number of bytes by which the environment of a process is
// longer. The kernel puts the environment above the main thread's stack and
// moves that by as much.
func paddingLength(seed uint64) int { return int(mix(seed^paddingSalt) % (longestPadding + 1)) }

const longestPadding = 4096
