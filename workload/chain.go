package workload

import (
	"math"

	"github.com/rtcompare/rtcompare"
)

const none = math.MaxUint32

// chain is a set of elements in order of insertion, from which both a random
// one and the one after another are taken in constant time. It takes as much
// memory as there are members, however many there were before them.
type chain struct {
	// members hold the elements, in no order. Before them stands an entry for
	// both ends of the order of insertion.
	members []member
	// next is where the member is that a burst goes on with, or ends.
	next uint32
}

// member is an element, and where its neighbours in order of insertion are.
type member struct{ id, after, before uint32 }

// ends is the place of the entry that is no member.
const ends = 0

func newChain() *chain { return &chain{members: make([]member, 1)} }

func (c *chain) size() int { return len(c.members) - 1 }

// begin starts a burst, which begins with a random member.
func (c *chain) begin() { c.next = ends }

func (c *chain) add(id uint32) {
	own, last := uint32(len(c.members)), c.members[ends].before
	c.members = append(c.members, member{id: id, after: ends, before: last})
	c.members[last].after, c.members[ends].before = own, own
}

// take removes the member the burst goes on with, or a random one, and goes on
// with the member inserted after it. After the last comes the first.
func (c *chain) take(random *rtcompare.DPRNG) uint32 {
	at := c.next
	if at == ends {
		at = 1 + random.Uint32N(uint32(c.size()))
	}
	own := c.members[at]
	c.members[own.before].after, c.members[own.after].before = own.after, own.before
	c.next = own.after
	if c.next == ends {
		c.next = c.members[ends].after // ends again, if this was the only one
	}
	c.fill(at)
	return own.id
}

// fill moves the last of the members to a free place.
func (c *chain) fill(place uint32) {
	last := uint32(len(c.members) - 1)
	if place != last {
		moved := c.members[last]
		c.members[place] = moved
		c.members[moved.before].after, c.members[moved.after].before = place, place
		if c.next == last {
			c.next = place
		}
	}
	c.members = c.members[:last]
}
