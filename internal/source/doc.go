// Package source turns the name of a version into a directory with its sources.
//
// A version is a git revision, the working tree, any other directory, or a test
// binary that somebody has built already. The working tree is used where it is
// and never written to. A revision is written out through an index of its own
// into the user's cache: nothing of that is seen in the repository afterwards.
//
// The package runs git and the go command's editing of go.mod and go.work. It
// knows nothing of packages, builds and benchmarks.
package source
