package workload

import "github.com/rtcompare/rtcompare"

// Cursor is a place in a cycle. It belongs to one instance of a structure, as
// its place says what the structure holds. The zero value is at the beginning.
// Goroutines must not share one.
type Cursor struct {
	position int
}

// Position returns how many operations of the cycle were played since its last
// beginning.
func (c *Cursor) Position() int { return c.position }

// Batch returns a function that plays the next n operations; see Advance.
func (c *Cursor) Batch(ops []Op, apply func([]Op)) rtcompare.Batch {
	return func(n uint64) { c.Advance(ops, n, apply) }
}

// Advance plays the next n operations of the cycle: it hands them to apply in
// runs that are as long as possible, so that the loop over them is apply's own.
// After the last operation comes the first. An empty cycle does nothing.
func (c *Cursor) Advance(ops []Op, n uint64, apply func([]Op)) {
	if len(ops) == 0 {
		return
	}
	if c.position >= len(ops) {
		c.position = 0 // another, shorter cycle than before
	}
	for n > 0 {
		left := uint64(len(ops) - c.position)
		if n < left {
			end := c.position + int(n)
			apply(ops[c.position:end])
			c.position = end
			return
		}
		apply(ops[c.position:])
		c.position = 0
		n -= left
	}
}

// Settle plays the rest of the cycle, so that the structure holds what it did at
// the beginning. At the beginning it does nothing.
func (c *Cursor) Settle(ops []Op, apply func([]Op)) {
	if c.position > 0 && c.position < len(ops) {
		apply(ops[c.position:])
	}
	c.position = 0
}
