// Package gobuild builds the test binaries of Go packages, so that two versions
// of one can be compared.
//
// A build takes the user's own flags as they are and adds few: source paths are
// trimmed, so that equal sources in two directories give equal binaries, nothing
// is vetted, and a layout number makes the linker place functions in another
// order. With the pausing driver, a benchmark of the binary can be run batch by
// batch from outside. It is compiled into a copy of the toolchain's own package
// testing, which is made when it is needed; neither the toolchain nor the user's
// sources are touched.
//
// The package runs the go command. It knows where sources are, and nothing of
// how they got there or what is measured with them.
package gobuild
