package workload

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

func TestCheckFindsOffences(t *testing.T) {
	ops := func(all ...Op) []Op { return all }
	ids := func(all ...uint32) []uint32 { return all }
	tests := []struct {
		name       string
		ops        []Op
		start, end []uint32
		want       string // in the error; none where it is empty
	}{
		{"nothing", nil, nil, nil, ""},
		{"valid", ops(Op{1, 1, Insert}, Op{1, 1, Lookup}, Op{1, 1, Update}, Op{2, 2, LookupMiss}, Op{0, 5, Scan}, Op{1, 1, Delete}), nil, nil, ""},
		{"twice", ops(Op{1, 1, Insert}, Op{1, 1, Insert}), nil, ids(1), "operation 1, insert of element 1 with key 0x1: it is already present"},
		{"present at the start", ops(Op{1, 1, Insert}), ids(1), ids(1), "operation 0, insert"},
		{"deletion", ops(Op{1, 1, Delete}), nil, nil, "operation 0, delete of element 1 with key 0x1: it is absent"},
		{"lookup", ops(Op{1, 1, Lookup}), nil, nil, "lookup of element 1 with key 0x1: it is absent"},
		{"update", ops(Op{1, 1, Update}), nil, nil, "update of element 1 with key 0x1: it is absent"},
		{"miss", ops(Op{1, 1, LookupMiss}), ids(1), ids(1), "lookup miss of element 1 with key 0x1: it is present"},
		{"scan", ops(Op{1, 0, Scan}), ids(1), ids(1), "at least one element"},
		{"kind", ops(Op{1, 1, Kind(9)}), nil, nil, "Kind(9)"},
		{"missing", nil, ids(1, 2), ids(1, 2, 3), "element 3 is missing"},
		{"extra", nil, ids(9, 4, 7), ids(9), "2 elements are present at the end that should not be, the smallest is element 4"},
		{"start", nil, ids(3, 3), ids(3), "element 3 occurs twice"},
		{"end twice", nil, ids(3), ids(3, 3), ""},
		{"another key", ops(Op{5, 1, Insert}, Op{6, 1, Delete}), nil, nil, "its key is 0x6 here and was 0x5"},
		{"shared key", ops(Op{5, 1, Insert}, Op{5, 2, Insert}), nil, ids(1, 2), "its key 0x5 is that of element 1"},
		{"shared by a miss", ops(Op{5, 1, Insert}, Op{5, 2, LookupMiss}), nil, ids(1), "its key 0x5"},
		{"no keys", ops(Op{0, 1, Insert}, Op{0, 2, Insert}), nil, ids(1, 2), ""},
	}
	for _, test := range tests {
		err := Check(test.ops, test.start, test.end)
		if (err == nil) != (test.want == "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// TestCheckMissesNothing takes one operation out of a valid stream at a time.
func TestCheckMissesNothing(t *testing.T) {
	const target = 30
	ops := mustCycle(t, target, Config{PermanentChurn: 0.3})
	for i := range ops {
		if Check(slices.Delete(slices.Clone(ops), i, i+1), upTo(target), upTo(target)) == nil {
			t.Errorf("the stream is said to be valid without operation %d, %+v", i, ops[i])
		}
	}
}

// FuzzCheck feeds streams of nonsense.
func FuzzCheck(f *testing.F) {
	f.Add([]byte{}, uint8(0), uint8(0))
	f.Add([]byte("\x00\x01\x01\x01\x01\x01"), uint8(1), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, start, end uint8) {
		var ops []Op
		for len(data) >= 6 {
			ops = append(ops, Op{Kind: Kind(data[0]), ID: binary.LittleEndian.Uint32(data[1:]) >> (data[5] % 32), Key: uint64(data[5])})
			data = data[6:]
		}
		first := Check(ops, upTo(int(start)), upTo(int(end)))
		if again := Check(ops, upTo(int(start)), upTo(int(end))); (first == nil) != (again == nil) || (first != nil && first.Error() != again.Error()) {
			t.Errorf("%v, then %v", first, again)
		}
		if first != nil {
			return
		}
		// What is valid stays valid sorted by kind, apart from elements that
		// come after having been looked for in vain.
		if count(ops, LookupMiss) == 0 {
			sorted, _ := sortByKind(ops, 1+int(start))
			if err := Check(sorted, upTo(int(start)), upTo(int(end))); err != nil {
				t.Errorf("sorted by kind: %v", err)
			}
		}
	})
}
