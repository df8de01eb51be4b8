package workload

import (
	"math"

	"github.com/rtcompare/rtcompare"
)

const none = math.MaxUint32

// chain is a set of elements in order of insertion, from which both a random
// one and the one after another are taken in constant time. Elements are kept
// as their distance from the first possible ID.
type chain struct {
	first uint32
	// present lists the members in no order, and place says where in it each is.
	present, place []uint32
	// after and before link the members in order of insertion. The entry behind
	// the last element is both ends of the list.
	after, before []uint32
	// next is the member a burst goes on with, or none.
	next uint32
}

func newChain(first, count uint32) *chain {
	c := &chain{first: first, place: make([]uint32, count), after: make([]uint32, count+1), before: make([]uint32, count+1), next: none}
	c.after[count], c.before[count] = count, count
	return c
}

func (c *chain) end() uint32 { return uint32(len(c.place)) }

func (c *chain) add(id uint32) {
	e, end := id-c.first, c.end()
	c.place[e] = uint32(len(c.present))
	c.present = append(c.present, e)
	last := c.before[end]
	c.before[e], c.after[e] = last, end
	c.after[last], c.before[end] = e, e
}

// take removes the member the burst goes on with, or a random one, and goes on
// with the member inserted after it. After the last comes the first.
func (c *chain) take(random *rtcompare.DPRNG) uint32 {
	e := c.next
	if e == none {
		e = c.present[random.Uint32N(uint32(len(c.present)))]
	}
	c.remove(e)
	c.next = c.after[e]
	if c.next == c.end() {
		c.next = c.after[c.end()]
	}
	if len(c.present) == 0 {
		c.next = none
	}
	return c.first + e
}

func (c *chain) remove(e uint32) {
	i, last := c.place[e], c.present[len(c.present)-1]
	c.present[i], c.place[last] = last, i
	c.present = c.present[:len(c.present)-1]
	c.after[c.before[e]], c.before[c.after[e]] = c.after[e], c.before[e]
}
