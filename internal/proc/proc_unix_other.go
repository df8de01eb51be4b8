//go:build unix && !linux

package proc

import "syscall"

// dieWithParent would ask the kernel to end the child with its parent. Only the
// lifeline does that here.
func dieWithParent(*syscall.SysProcAttr) {}

// killWhenClosed would let the kernel watch the lifeline. Here a goroutine does,
// blocked in a read. A process whose other goroutines all sleep for good then
// hangs instead of ending by itself: give it a time limit.
func killWhenClosed(int) bool { return false }
