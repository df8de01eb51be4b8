package workload

import (
	"slices"
	"strconv"
	"testing"
)

// numbered returns n operations whose IDs say where they are.
func numbered(n int) []Op {
	ops := make([]Op, n)
	for i := range ops {
		ops[i].ID = uint32(i)
	}
	return ops
}

func TestCursorGoesRound(t *testing.T) {
	const length = 50
	ops := numbered(length)
	var c Cursor
	played := 0
	check := func(run []Op) {
		if len(run) == 0 {
			t.Error("an empty run")
		}
		for _, op := range run {
			if int(op.ID) != played%length {
				t.Fatalf("operation %d of the cycle was played at %d", op.ID, played)
			}
			played++
		}
	}
	batch := c.Batch(ops, check)
	total := 0
	for _, n := range []int{1, 7, length - 3, 0, 2*length + 5, length, 1, length - 1, 3 * length} {
		batch(uint64(n))
		total += n
		if played != total || c.Position() != total%length {
			t.Errorf("after %d operations %d were played, position %d", total, played, c.Position())
		}
	}
}

// TestCursorRunsAreLong is what keeps the cursor out of the timed loop.
func TestCursorRunsAreLong(t *testing.T) {
	var c Cursor
	var runs []int
	c.Advance(numbered(10), 4, func([]Op) {})
	c.Advance(numbered(10), 29, func(run []Op) { runs = append(runs, len(run)) })
	if want := []int{6, 10, 10, 3}; !slices.Equal(runs, want) {
		t.Errorf("runs of %v, want %v", runs, want)
	}
}

func TestCursorSettles(t *testing.T) {
	ops := numbered(9)
	var c Cursor
	var ids []uint32
	collect := func(run []Op) {
		for _, op := range run {
			ids = append(ids, op.ID)
		}
	}
	c.Settle(ops, collect)
	if len(ids) != 0 {
		t.Errorf("settling at the beginning plays %v", ids)
	}
	c.Advance(ops, 6, func([]Op) {})
	c.Settle(ops, collect)
	if !slices.Equal(ids, []uint32{6, 7, 8}) || c.Position() != 0 {
		t.Errorf("settling plays %v and ends at %d", ids, c.Position())
	}
}

func TestCursorWithoutOperations(t *testing.T) {
	var c Cursor
	never := func([]Op) { t.Error("something was played") }
	c.Batch(nil, never)(1000)
	c.Advance([]Op{}, 5, never)
	c.Settle(nil, never)
	// A shorter cycle than before begins at its beginning.
	c.Advance(numbered(9), 8, func([]Op) {})
	c.Settle(numbered(3), never)
	c.Advance(numbered(9), 8, func([]Op) {})
	first := -1
	c.Advance(numbered(3), 1, func(run []Op) { first = int(run[0].ID) })
	if first != 0 || c.Position() != 1 {
		t.Errorf("a shorter cycle begins at %d", first)
	}
}

func TestReplayPrimesOnce(t *testing.T) {
	played := 0
	r := NewReplay(numbered(20), func(run []Op) { played += len(run) })
	c := r.Candidate("x")
	if c.Name != "x" || c.Teardown != nil || c.New != nil {
		t.Errorf("candidate %+v", c)
	}
	for range 3 {
		c.Setup()
		c.Batch(5)
	}
	if played != 20+15 {
		t.Errorf("%d operations were played, want one cycle and three batches of 5", played)
	}
	r.Settle()
	if played != 40 {
		t.Errorf("settled after %d operations", played)
	}
	r.Prime()
	second := r.Candidate("y") // another name, the same place in the cycle
	second.Setup()
	if played != 40 {
		t.Error("it was primed again")
	}
}

func TestAlign(t *testing.T) {
	ops := numbered(30)
	a := Align(ops, func(op Op, index int) string { return strconv.Itoa(index) + "/" + strconv.Itoa(int(op.ID)) })
	var c Cursor
	position := 0
	for range 20 {
		c.Advance(a.Ops(), 7, func(run []Op) {
			values := a.For(run)
			if len(values) != len(run) || values[0] != a.Values()[position%30] {
				t.Fatalf("at %d: %v", position, values)
			}
			position += len(run)
		})
	}
	for name, run := range map[string][]Op{
		"nil": nil, "empty": ops[3:3], "foreign": numbered(30), "shorter": numbered(4), "longer": numbered(60),
		"cut off": ops[3:5:7], "a copy": append([]Op(nil), ops[3:9]...),
	} {
		if got := a.For(run); got != nil {
			t.Errorf("a run that is %s has values %v", name, got)
		}
	}
	if got := (Aligned[int]{}).For(ops[2:3]); got != nil {
		t.Errorf("no stream has values %v", got)
	}
}
