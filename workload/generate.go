package workload

import "github.com/rtcompare/rtcompare"

// generator simulates a structure's population and writes down what happens.
// Within it, elements have local IDs: 0 … permanent-1 are the permanent ones,
// the next transient ones follow, and as many again are never inserted.
type generator struct {
	config               Config
	keys                 keyring
	random               rtcompare.DPRNG
	permanent, transient uint32
	stride, offset       uint32
	ops                  []Op

	// arrivals is the mean number of transient elements in a burst of
	// insertions, liveTarget how many of them are to be present.
	arrivals, liveTarget float64
	// arrived is how many transient elements were inserted so far; live and
	// settled hold the transient and the permanent elements that may be deleted.
	arrived       uint32
	live, settled pool
	// waiting are the permanent elements that were never inserted yet, the next
	// one last; away are those that churn took out.
	waiting, away []uint32
	// readers is nil where nothing is read.
	readers *readers
}

func newGenerator(c Config, permanent, transient uint32, p part) *generator {
	g := &generator{
		config: c, keys: c.keyring(), random: streamRandom(c.Seed, p),
		permanent: permanent, transient: transient, stride: uint32(p.count), offset: uint32(p.index),
		live: newPool(c.Victims), settled: newPool(c.ChurnVictims),
	}
	g.liveTarget = float64(c.LiveTarget) / float64(p.count)
	if c.LiveTarget == 0 {
		g.liveTarget = float64(min(permanent/8, transient/2))
	}
	g.liveTarget = max(1, g.liveTarget)
	if c.reads() > 0 {
		g.readers = newReaders(c, permanent, transient)
	}
	return g
}

// streamRandom is the source of a stream's randomness. The only part of one is
// the stream itself.
func streamRandom(seed uint64, p part) rtcompare.DPRNG {
	s := mix(seed + streamSalt)
	if p.count > 1 {
		s = mix(s + uint64(p.index)*gamma)
	}
	if s == 0 {
		s = gamma // zero would ask for a random one
	}
	return rtcompare.NewDPRNG(s)
}

func (g *generator) run(fromEmpty bool, length int) []Op {
	const slack = 64
	g.ops = make([]Op, 0, length+length/64+slack)
	share := 1.0
	if fromEmpty {
		g.waiting = shuffled(g.permanent, &g.random)
		share = float64(g.transient) / (float64(g.transient) + float64(g.permanent))
	} else {
		g.settle()
	}
	g.arrivals = share * (float64(g.config.MaxBurst) + 1) / 2
	for g.arrived < g.transient || len(g.waiting) > 0 {
		g.insertBurst()
		g.deleteBurst()
	}
	for len(g.away) > 0 || g.live.size() > 0 {
		g.returnBurst()
		g.drainBurst()
	}
	return g.ops
}

// settle makes the permanent elements present without an operation.
func (g *generator) settle() {
	for id := range g.permanent {
		if g.config.PermanentChurn > 0 {
			g.settled.add(id)
		}
		if g.readers != nil {
			g.readers.crowd.add(id)
		}
	}
	if g.readers != nil {
		g.readers.crowd.fixed = uint64(g.readers.crowd.staying)
		// Bursts carry the number of live elements well above its target.
		g.readers.crowd.reserve(4*g.liveTarget + 8*float64(g.config.MaxBurst))
	}
}

func shuffled(n uint32, random *rtcompare.DPRNG) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids
}

// burst draws a length from 1 to MaxBurst.
func (g *generator) burst() int {
	return 1 + int(g.random.Uint32N(uint32(min(uint64(g.config.MaxBurst), none))))
}

// insertBurst inserts elements of all sorts, each in proportion to how many of
// its sort are left.
func (g *generator) insertBurst() {
	for range g.burst() {
		fresh, waiting := g.transient-g.arrived, uint32(len(g.waiting))
		left := fresh + waiting + uint32(len(g.away))
		if left == 0 {
			return
		}
		which := uint32(0)
		if fresh < left {
			which = g.random.Uint32N(left)
		}
		switch {
		case which < fresh:
			id := g.permanent + g.arrived
			g.arrived++
			g.live.add(id)
			g.mutate(Insert, id)
		case which < fresh+waiting:
			id := g.waiting[waiting-1]
			g.waiting = g.waiting[:waiting-1]
			g.insertPermanent(id)
		default:
			g.bringBack(which - fresh - waiting)
		}
	}
}

func (g *generator) insertPermanent(id uint32) {
	if g.config.PermanentChurn > 0 {
		g.settled.add(id)
	}
	g.mutate(Insert, id)
}

// bringBack inserts one of the elements that churn took out.
func (g *generator) bringBack(i uint32) {
	id, last := g.away[i], len(g.away)-1
	g.away[i] = g.away[last]
	g.away = g.away[:last]
	g.insertPermanent(id)
}

// deleteBurst deletes in proportion to the transient elements present: with
// liveTarget of them it takes, on average, as many as a burst brings.
func (g *generator) deleteBurst() {
	live := float64(g.live.size())
	mean := g.arrivals * live / g.liveTarget
	// A uniform number is rounded up with the probability of its fraction.
	length := int(min(2*mean*g.random.Float64()+g.random.Float64(), live))
	g.live.begin()
	g.settled.begin()
	for range length {
		if g.config.PermanentChurn > 0 && g.settled.size() > 0 && g.random.Float64() < g.config.PermanentChurn {
			id := g.settled.take(&g.random)
			g.away = append(g.away, id)
			g.mutate(Delete, id)
			continue
		}
		g.mutate(Delete, g.live.take(&g.random))
	}
}

// returnBurst and drainBurst end the stream: what churn took out comes back,
// and the remaining transient elements go, in turns.
func (g *generator) returnBurst() {
	if len(g.away) == 0 {
		return
	}
	for range min(g.burst(), len(g.away)) {
		g.bringBack(g.random.Uint32N(uint32(len(g.away))))
	}
}

func (g *generator) drainBurst() {
	if g.live.size() == 0 {
		return
	}
	g.live.begin()
	for range min(g.burst(), g.live.size()) {
		g.mutate(Delete, g.live.take(&g.random))
	}
}

// mutate writes an insertion or deletion down, and the reads that follow it.
func (g *generator) mutate(kind Kind, id uint32) {
	g.write(kind, id)
	if g.readers != nil {
		g.read(kind, id)
	}
}

// write appends an operation on an element.
func (g *generator) write(kind Kind, id uint32) {
	id = id*g.stride + g.offset
	g.ops = append(g.ops, Op{Key: g.keys.key(id), ID: id, Kind: kind})
}
