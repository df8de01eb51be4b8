//go:build !linux

package gobench

// AllowedProcessors is empty: this system does not let processes be put onto
// processors.
func AllowedProcessors() []int { return nil }

// pin does nothing: this system does not let processes be put onto processors.
func pin(int, []int) error { return nil }
