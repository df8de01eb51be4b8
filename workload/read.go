package workload

import (
	"fmt"
	"math"
)

// readers is the part of a generator that makes lookups, updates and scans.
type readers struct {
	crowd *crowd
	// Credits grow with every mutation; a whole one is an operation.
	lookups, updates, scans float64
}

func newReaders(c Config, permanent, transient uint32) *readers {
	staying := permanent
	if c.PermanentChurn > 0 {
		staying = 0
	}
	return &readers{crowd: newCrowd(c, permanent+transient, staying)}
}

// read follows a mutation: it keeps the crowd, and writes as many reads as the
// credits allow. An update or a scan needs an element and waits for one.
func (g *generator) read(kind Kind, id uint32) {
	r := g.readers
	if kind == Insert {
		r.crowd.add(id)
	} else {
		// Behind elements that stay, the crowd keeps the same order as a pool
		// that gives out random victims.
		r.crowd.remove(id, r.crowd.staying+g.live.from)
	}
	r.lookups += g.config.Lookups
	r.updates += g.config.Updates
	r.scans += g.config.Scans
	for ; r.lookups >= 1; r.lookups-- {
		g.lookup()
	}
	if len(r.crowd.places) == 0 {
		return
	}
	for ; r.updates >= 1; r.updates-- {
		g.write(Update, r.crowd.pick(&g.random))
	}
	for ; r.scans >= 1; r.scans-- {
		g.scan()
	}
}

func (g *generator) lookup() {
	if len(g.readers.crowd.places) == 0 || (g.config.MissRate > 0 && g.random.Float64() < g.config.MissRate) {
		ids := g.permanent + g.transient
		g.write(LookupMiss, ids+g.random.Uint32N(ids))
		return
	}
	g.write(Lookup, g.readers.crowd.pick(&g.random))
}

func (g *generator) scan() {
	start := g.readers.crowd.pick(&g.random)*g.stride + g.offset
	length := 1 + g.random.Uint32N(uint32(g.config.MaxScan))
	g.ops = append(g.ops, Op{Key: g.keys.key(start), ID: length, Kind: Scan})
}

// Reads returns a stream of n operations for each of several readers, which
// leave a structure as it is: lookups among the elements 0 … target-1, with
// Config.MissRate, and scans. The two come in proportion to Config.Lookups and
// Config.Scans; where both are zero, all are lookups. What a reader looks for in
// vain stays absent under the streams of [BuildParts] and [CycleParts], so that
// goroutines that only read can run beside them, as long as no element that is
// read is deleted: PermanentChurn has to be zero. An error names the option.
func Reads(target, readers, n int, c Config) ([][]Op, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	transient, err := c.transients(target)
	if err != nil {
		return nil, err
	}
	switch {
	case readers < 1:
		return nil, fmt.Errorf("%d readers were asked for and there has to be at least 1", readers)
	case n < 0 || float64(n)*float64(readers) > min(mostOps, math.MaxInt/opBytes):
		return nil, fmt.Errorf("%d operations were asked for each of %d readers, and there have to be between 0 and 2^36 together", n, readers)
	case c.PermanentChurn > 0:
		return nil, fmt.Errorf("option PermanentChurn is %v and deletes elements that are read; set it to zero", c.PermanentChurn)
	}
	permanent := uint32(target)
	g := &generator{
		config: c, keys: c.keyring(), stride: 1, permanent: permanent, transient: uint32(transient),
		readers: newReaders(c, permanent, 0),
	}
	g.settle()
	streams := make([][]Op, readers)
	for i := range streams {
		// Another seed than that of any part, whose elements have it already.
		g.random = streamRandom(mix(c.Seed), part{index: i, count: readers + 1})
		g.ops = make([]Op, 0, n)
		g.readOnly(n)
		streams[i] = g.ops
	}
	return streams, nil
}

func (g *generator) readOnly(n int) {
	share := 0.0
	if g.config.Scans > 0 {
		share = g.config.Scans / (g.config.Lookups + g.config.Scans)
	}
	for range n {
		switch {
		case share > 0 && g.random.Float64() < share:
			g.scan()
		case g.random.Float64() < g.config.MissRate:
			// The highest IDs are those that no part ever inserts.
			g.write(LookupMiss, none-g.random.Uint32N(g.permanent+g.transient))
		default:
			g.write(Lookup, g.readers.crowd.pick(&g.random))
		}
	}
}
