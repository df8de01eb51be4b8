package workload

import (
	"fmt"
	"testing"
	"unsafe"
)

func TestOpTakes16Bytes(t *testing.T) {
	if size := unsafe.Sizeof(Op{}); size != opBytes {
		t.Errorf("an Op takes %d bytes", size)
	}
}

func TestNames(t *testing.T) {
	tests := map[fmt.Stringer]string{
		Insert: "insert", Delete: "delete", Lookup: "lookup", LookupMiss: "lookup miss", Update: "update", Scan: "scan", Kind(200): "Kind(200)",
		Scattered: "Scattered", Sequential: "Sequential", Clustered: "Clustered", KeyOrder(-1): "KeyOrder(-1)",
		Uniform: "Uniform", FIFO: "FIFO", LIFO: "LIFO", Adjacent: "Adjacent", Policy(9): "Policy(9)",
		Even: "Even", Zipf: "Zipf", Hot: "Hot", Access(7): "Access(7)",
	}
	for value, want := range tests {
		if got := value.String(); got != want {
			t.Errorf("%T %d is %q, want %q", value, value, got, want)
		}
	}
}

func TestValuesDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for index := range 100 {
		for key := range uint64(100) {
			seen[Op{Key: key}.Value(index)] = true
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("%d different values of 10000", len(seen))
	}
}
