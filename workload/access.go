package workload

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/rtcompare/rtcompare"
)

// Access says which present elements lookups, updates and scans go to. The most
// popular ones lie anywhere among the others, in ID and in key.
type Access int

const (
	// Even goes to all of them alike.
	Even Access = iota
	// Zipf goes to the k-th most popular one in proportion to
	// k^-Config.ZipfExponent.
	Zipf
	// Hot sends the share Config.HotOperations of the operations to the share
	// Config.HotElements of the elements, and spreads the rest over the others.
	Hot
)

// String returns "Even", "Zipf", "Hot", or "Access(n)".
func (a Access) String() string {
	switch a {
	case Even:
		return "Even"
	case Zipf:
		return "Zipf"
	case Hot:
		return "Hot"
	}
	return fmt.Sprintf("Access(%d)", int(a))
}

// crowd is all elements that are present, and picks one to be read.
//
// Popularity belongs to places, not to elements: where a popular element goes,
// another one takes its place and becomes the popular one. So the law of
// popularity holds at every moment, and most elements keep theirs for life.
type crowd struct {
	access      Access
	exponent    float64
	elements    float64 // share of the elements that are hot
	operations  float64 // share of the operations that go there
	places      []uint32
	staying     uint32   // IDs below are never removed
	where       []uint32 // by local ID less staying: its place
	fixed       uint64   // the first so many places hold the IDs of the same numbers, for ever
	width       uint     // places are numbered below 2^width
	order       spreader // of that width
	ranks       zipf
	randomOrder bool
}

// newCrowd makes an empty crowd for IDs below ids, of which those below staying
// are never removed.
func newCrowd(c Config, ids, staying uint32) *crowd {
	r := &crowd{
		access: c.Access, exponent: c.ZipfExponent, elements: c.HotElements, operations: c.HotOperations,
		staying: staying, where: make([]uint32, ids-staying),
	}
	r.randomOrder = c.Access != Even
	r.widen(0)
	return r
}

// reserve makes room for so many elements more. Where there is room, popularity
// stays as it is; where a crowd outgrows it, as in a build, popularity is dealt
// out anew.
func (c *crowd) reserve(more float64) {
	room := min(float64(len(c.places))+more, float64(c.staying)+float64(len(c.where)))
	if width := uint(bits.Len64(uint64(room))); width > c.width {
		c.widen(width)
	}
}

func (c *crowd) widen(width uint) {
	c.width, c.order = width, newSpreader(width)
	if c.access == Zipf {
		c.ranks = newZipf(c.exponent, 1<<width)
	}
}

func (c *crowd) add(id uint32) {
	if id >= c.staying {
		c.where[id-c.staying] = uint32(len(c.places))
	}
	c.places = append(c.places, id)
	if uint64(len(c.places)) > 1<<c.width {
		c.widen(c.width + 1)
	}
}

// remove takes an element out. guess is a place that is worth a look before
// memory further away is asked, or any number.
func (c *crowd) remove(id, guess uint32) {
	place, last := guess, c.places[len(c.places)-1]
	if int(place) >= len(c.places) || c.places[place] != id {
		place = c.where[id-c.staying]
	}
	c.places[place] = last
	if last >= c.staying {
		c.where[last-c.staying] = place
	}
	c.places = c.places[:len(c.places)-1]
}

// pick returns a present element; there has to be one.
func (c *crowd) pick(random *rtcompare.DPRNG) uint32 {
	n := uint64(len(c.places))
	place := uint64(0)
	if c.randomOrder {
		// Ranks are spread over all numbers of the width and walk on until they
		// meet a place that exists: still one place for each rank, and hardly
		// any moves when the number of places changes.
		place = c.order.spread(c.rank(random, n))
		// The first step is made ahead: to guess whether it is needed would cost
		// more, as nobody can know.
		if next := c.order.spread(place); place >= n {
			place = next
		}
		for place >= n {
			place = c.order.spread(place)
		}
	} else {
		place = uint64(random.Uint32N(uint32(n)))
	}
	if place < c.fixed {
		return uint32(place) // what the memory would say, and it is far away
	}
	return c.places[place]
}

// rank draws how popular the element is; 0 is the most popular one.
func (c *crowd) rank(random *rtcompare.DPRNG, n uint64) uint64 {
	if c.access == Zipf {
		for {
			if rank := c.ranks.draw(random); rank < n {
				return rank
			}
		}
	}
	first, count := uint32(0), uint32(min(max(math.Round(c.elements*float64(n)), 1), float64(n)))
	if cold := uint32(n) - count; cold > 0 {
		if hot := count; random.Float64() >= c.operations {
			first, count = hot, cold
		}
	}
	return uint64(first + random.Uint32N(count))
}
