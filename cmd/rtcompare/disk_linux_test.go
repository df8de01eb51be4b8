package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// mounted puts a small file system at a directory until the script ends, for
// disks that run full: mounted DIRECTORY SIZE
func mounted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mounted DIRECTORY SIZE")
	}
	directory := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(directory, 0o755))
	ts.Check(unix.Mount("none", directory, "tmpfs", 0, "size="+args[1]))
	ts.Defer(func() { _ = unix.Unmount(directory, unix.MNT_DETACH) })
}

// condition tells scripts whether they may mount file systems.
func condition(name string) (bool, error) {
	if name != "mount" {
		return false, errUnknownCondition
	}
	directory, err := os.MkdirTemp("", "rtcompare-mount-")
	if err != nil {
		return false, err
	}
	defer os.Remove(directory)
	if unix.Mount("none", directory, "tmpfs", 0, "size=4k") != nil {
		return false, nil
	}
	return true, unix.Unmount(directory, unix.MNT_DETACH)
}
