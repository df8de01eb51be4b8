package multiproc

import (
	"errors"
	"testing"
	"unsafe"
)

// address is where a variable of f lies on the stack.
//
//go:noinline
func address() uintptr {
	var here byte
	return uintptr(unsafe.Pointer(&here))
}

func TestStackOffset(t *testing.T) {
	at := make(map[uint64]uintptr)
	done := make(chan bool)
	go func() {
		// Grow the stack first, so that it does not move in between.
		_ = atOffset(1<<stackSteps-1, func() error { return nil })
		for steps := range uint64(1 << stackSteps) {
			_ = atOffset(steps, func() error { at[steps] = address(); return nil })
		}
		done <- true
	}()
	<-done
	pages := make(map[uintptr]bool)
	for _, a := range at {
		pages[a%4096] = true
	}
	// Every bit adds its own frame, so that no two numbers share an address.
	if len(pages) < 150 {
		t.Errorf("%d different places within a page for %d offsets", len(pages), len(at))
	}
	for bit := range stackSteps {
		moved := at[0] - at[1<<bit]
		if least := uintptr(16 << bit); moved < least || moved > least+256 {
			t.Errorf("step %d moves the stack by %d bytes, want %d and a small frame", bit, moved, least)
		}
	}
	want := errors.New("passed on")
	if err := atOffset(255, func() error { return want }); err != want {
		t.Errorf("error %v", err)
	}
}
