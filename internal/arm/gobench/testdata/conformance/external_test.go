package conformance_test

import (
	"testing"

	"example.com/conformance"
)

func BenchmarkExternal(b *testing.B) {
	x := uint64(1)
	for b.Loop() {
		x = conformance.Work(1000, x)
	}
	if x == 0 {
		b.Fatal("zero")
	}
}
