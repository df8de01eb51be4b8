//go:build !linux

package gobench

// pin does nothing: this system does not let processes be put onto processors.
func pin(int, []int) error { return nil }
