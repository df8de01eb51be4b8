//go:build race

package proc

// withRaceDetector is set where the runtime looks for no deadlocks.
const withRaceDetector = true
