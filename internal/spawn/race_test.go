//go:build race

package spawn

// withRaceDetector is set where every program needs much more memory.
const withRaceDetector = true
