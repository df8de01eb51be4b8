//go:build !linux

package httparm

import "time"

// processTime adds up the threads of a process where there is a /proc.
func processTime(directory string, _ int) (time.Duration, bool) { return threadTimes(directory) }
