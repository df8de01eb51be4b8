package stat

import (
	"cmp"
	"slices"
)

// middlePairLaw is the law of the mean of the two middle values of an even chain,
// the lower of which has the rank middle. For i <= j let G(i,j) be the probability that the lower middle value is
// at most the i-th and the upper one above the j-th. That means: just half of
// the drawn values come from the first i, and no block reaches into i+1..j.
// The joint probability of two values is a second difference of G.
func middlePairLaw(chain *blockChain, groups [][]rankedValue, middle int) []atom {
	inversion := newBlockInversion(chain, groups, middle)
	chain.reset()
	walker := newGapWalker(chain, inversion)
	var atoms []atom
	var before []float64 // row i-1 of G, from column i-1 on
	lowerBefore := 0.0
	for i, tied := range groups {
		chain.admit(tied)
		lower := inversion.atLeast(chain)
		row := walker.row(groups[i+1:])
		// Both middle values in group i: what the pairs with j > i leave.
		both := lower - lowerBefore - (at(row, 0) - at(before, 1))
		atoms = appendLikely(atoms, tied[0].value, both)
		for d := 1; d <= len(row) && i+d < len(groups); d++ {
			pair := at(row, d-1) - at(before, d) - at(row, d) + at(before, d+1)
			atoms = appendLikely(atoms, midpoint(tied[0].value, groups[i+d][0].value), pair)
		}
		before, lowerBefore = row, lower
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(a.value, b.value) })
	return atoms
}

// at reads a row that is zero beyond its end.
func at(row []float64, i int) float64 {
	if i < len(row) {
		return row[i]
	}
	return 0
}

// appendLikely adds an atom unless its probability may be rounding noise.
func appendLikely(atoms []atom, value, probability float64) []atom {
	if probability > roundingNoise {
		atoms = append(atoms, atom{value, probability})
	}
	return atoms
}

// gapWalker computes one row of G after the other.
type gapWalker struct {
	chain      *blockChain
	inversion  *blockInversion
	whole, cut gapTable
}

// gapTable holds the frequencies of the counts of those blocks that avoid a gap
// of ranks.
type gapTable struct {
	frequency []float64
	// touched holds, for every start, the row in which its block was last
	// found to reach into the gap.
	touched []int
	row     int
}

func newGapWalker(chain *blockChain, inversion *blockInversion) *gapWalker {
	table := func(t countTable) gapTable {
		return gapTable{frequency: make([]float64, len(t.frequency)), touched: make([]int, len(t.counts))}
	}
	return &gapWalker{chain, inversion, table(chain.whole), table(chain.cut)}
}

// row returns G(i,i), G(i,i+1), ... for the values admitted so far and the
// groups above them, until it vanishes.
func (w *gapWalker) row(above [][]rankedValue) []float64 {
	mean, reach := w.chain.spread()
	if target := float64(w.inversion.target); mean+reach < target || mean-reach > target {
		return nil
	}
	w.whole.begin(w.chain.whole)
	w.cut.begin(w.chain.cut)
	var row []float64
	for j := 0; ; j++ {
		g := w.inversion.point(w.chain, w.whole.frequency, w.cut.frequency)
		if g <= roundingNoise {
			return row
		}
		row = append(row, g)
		if j == len(above) {
			return row
		}
		for _, r := range above[j] {
			w.whole.avoid(w.chain.whole, r.place)
			w.cut.avoid(w.chain.cut, r.place)
		}
	}
}

// begin starts a row with an empty gap.
func (g *gapTable) begin(t countTable) {
	copy(g.frequency, t.frequency)
	g.row++
}

// avoid takes the blocks with a member at the place out of the table.
func (g *gapTable) avoid(t countTable, place int) {
	first, end := t.startsWith(place)
	for start := first; start < end; start++ {
		if g.touched[start] != g.row {
			g.touched[start] = g.row
			g.frequency[t.counts[start]] -= t.perStart
		}
	}
}
