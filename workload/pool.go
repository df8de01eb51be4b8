package workload

import (
	"fmt"

	"github.com/rtcompare/rtcompare"
)

// Policy says which element a deletion takes.
type Policy int

const (
	// Uniform takes any of them with the same probability.
	Uniform Policy = iota
	// FIFO takes the one that was inserted first, as a queue does.
	FIFO
	// LIFO takes the one that was inserted last, as a stack does.
	LIFO
	// Adjacent takes, in each burst, a random one and then those inserted next
	// after it. With Clustered or Sequential keys these are neighbours in key
	// order too: a whole stretch of the structure empties at once.
	Adjacent
)

// String returns "Uniform", "FIFO", "LIFO", "Adjacent", or "Policy(n)".
func (p Policy) String() string {
	switch p {
	case Uniform:
		return "Uniform"
	case FIFO:
		return "FIFO"
	case LIFO:
		return "LIFO"
	case Adjacent:
		return "Adjacent"
	}
	return fmt.Sprintf("Policy(%d)", int(p))
}

// pool holds the present elements of one sort and gives them out as victims.
type pool struct {
	policy Policy
	ids    []uint32
	// taken is how many of the first ids a queue has given out.
	taken int
	// from is where among the ids the last victim was, if at random.
	from  uint32
	chain *chain
}

// newPool makes an empty pool.
func newPool(policy Policy) pool {
	p := pool{policy: policy}
	if policy == Adjacent {
		p.chain = newChain()
	}
	return p
}

func (p *pool) size() int {
	if p.chain != nil {
		return p.chain.size()
	}
	return len(p.ids) - p.taken
}

func (p *pool) add(id uint32) {
	if p.chain != nil {
		p.chain.add(id)
		return
	}
	p.ids = append(p.ids, id)
}

// begin starts a burst of deletions.
func (p *pool) begin() {
	if p.chain != nil {
		p.chain.begin()
	}
}

// take removes an element by the policy. There has to be one.
func (p *pool) take(random *rtcompare.DPRNG) uint32 {
	last := len(p.ids) - 1
	switch p.policy {
	case FIFO:
		return p.oldest()
	case LIFO:
		id := p.ids[last]
		p.ids = p.ids[:last]
		return id
	case Adjacent:
		return p.chain.take(random)
	}
	i := random.Uint32N(uint32(len(p.ids)))
	id := p.ids[i]
	p.from = i
	p.ids[i] = p.ids[last]
	p.ids = p.ids[:last]
	return id
}

// oldest takes from the front. The room of what was taken is used again once it
// is half of the slice, so that a long stream needs no memory for its past.
func (p *pool) oldest() uint32 {
	id := p.ids[p.taken]
	p.taken++
	const worthMoving = 1024
	if p.taken >= worthMoving && 2*p.taken >= len(p.ids) {
		p.ids = p.ids[:copy(p.ids, p.ids[p.taken:])]
		p.taken = 0
	}
	return id
}
