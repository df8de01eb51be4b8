package workload

import (
	"errors"
	"fmt"
)

// Build returns a stream that fills an empty structure with the elements
// 0 … target-1. Transient elements come and go meanwhile, as many as
// Config.Ratio says; at the end none is left.
//
// The stream holds target insertions, and one insertion and one deletion for
// each transient element, 16 bytes each; with PermanentChurn, Lookups, Updates
// and Scans it is longer. An error names the option that is out of range.
func Build(target int, c Config) ([]Op, error) {
	return generate(target, c, part{count: 1}, true)
}

// Cycle returns a stream for a structure that holds the elements 0 … target-1.
// At its end the structure holds these same elements again, so that it can be
// played over and over; a [Cursor] does that.
//
// Each transient element is inserted once and deleted once. Insertions come in
// bursts of up to Config.MaxBurst, deletions in bursts whose mean follows the
// number of transient elements present, which so settles at Config.LiveTarget.
// Errors are those of [Build]; a Ratio so close to 1 that there would be no
// transient element is one too.
func Cycle(target int, c Config) ([]Op, error) {
	return generate(target, c, part{count: 1}, false)
}

// part says which of several streams over disjoint elements is wanted. Element
// i of part p is number i·count+p of them all.
type part struct{ index, count int }

// BuildParts returns several streams that together fill an empty structure with
// the elements 0 … target-1, one for each goroutine. No element belongs to two
// of them, so that they stay valid in whatever order the goroutines run. Each
// gets its part of LiveTarget. With one part it is [Build]. An error names the
// option; there have to be as many elements as parts at least.
func BuildParts(target, parts int, c Config) ([][]Op, error) {
	return generateParts(target, parts, c, true)
}

// CycleParts returns several streams for a structure that holds the elements
// 0 … target-1, as [Cycle] does, one for each goroutine. It has the rules and
// errors of [BuildParts].
func CycleParts(target, parts int, c Config) ([][]Op, error) {
	return generateParts(target, parts, c, false)
}

func generateParts(target, parts int, c Config, fromEmpty bool) ([][]Op, error) {
	if parts < 1 || (target >= 1 && parts > target) {
		return nil, fmt.Errorf("%d parts were asked for and there have to be between 1 and the %d elements", parts, target)
	}
	streams := make([][]Op, parts)
	for i := range streams {
		ops, err := generate(target, c, part{index: i, count: parts}, fromEmpty)
		if err != nil {
			return nil, err
		}
		streams[i] = ops
	}
	return streams, nil
}

func generate(target int, c Config, p part, fromEmpty bool) ([]Op, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	if _, err := c.transients(target); err != nil {
		return nil, err
	}
	own := target / p.count
	if p.index < target%p.count {
		own++
	}
	transient, err := c.transients(own)
	if err != nil {
		return nil, err
	}
	if !fromEmpty && c.Ratio <= 1 {
		return nil, fmt.Errorf("option Ratio is %v and has to be above 1 for a cycle", c.Ratio)
	}
	if !fromEmpty && transient == 0 {
		return nil, fmt.Errorf("option Ratio is %v, which leaves no transient element for a cycle of %d elements; raise it", c.Ratio, own)
	}
	if 2*(uint64(own)+transient)*uint64(p.count) > none {
		return nil, errors.New("the parts have more elements than 32-bit IDs can number; lower the target or the option Ratio")
	}
	length, err := c.length(float64(own), float64(transient))
	if err != nil {
		return nil, err
	}
	g := newGenerator(c, uint32(own), uint32(transient), p)
	return g.run(fromEmpty, int(length)), nil
}
