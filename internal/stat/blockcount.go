package stat

import "math"

// blockChain counts, for every place a block can start at, how many of its
// members have been admitted so far. Admitting the values of a series in
// ascending order makes the counts those of rank k or less.
type blockChain struct {
	size   int        // number of values in a chain
	blocks int        // number of whole blocks in a chain
	whole  countTable // counts of the whole blocks
	cut    countTable // counts of the last block, cut to fit; of length 0 if all fit
}

// countTable holds the counts of all possible blocks of one length.
type countTable struct {
	counts    []int     // by start
	frequency []float64 // share of the starts with a count of 0, 1, ..., length
	perStart  float64   // the share of one start
	sum       float64   // of the counts
	squares   float64   // of the counts
}

// newBlockChain prepares the counts for n values and blocks of a length.
func newBlockChain(n, length int) *blockChain {
	starts := n - length + 1
	return &blockChain{
		size: n, blocks: n / length,
		whole: newCountTable(starts, length), cut: newCountTable(starts, n%length),
	}
}

func newCountTable(starts, length int) countTable {
	return countTable{
		counts: make([]int, starts), frequency: make([]float64, length+1),
		perStart: 1 / float64(starts),
	}
}

// length is the number of members of a block.
func (t *countTable) length() int { return len(t.frequency) - 1 }

// reset forgets all admitted places.
func (c *blockChain) reset() {
	c.whole.reset()
	c.cut.reset()
}

func (t *countTable) reset() {
	clear(t.counts)
	clear(t.frequency)
	t.frequency[0] = 1
	t.sum, t.squares = 0, 0
}

// admit counts values at some places of the series.
func (c *blockChain) admit(tied []rankedValue) {
	for _, r := range tied {
		c.whole.admit(r.place)
		c.cut.admit(r.place)
	}
}

func (t *countTable) admit(place int) {
	first, end := t.startsWith(place)
	for start := first; start < end; start++ {
		count := t.counts[start]
		t.counts[start]++
		t.frequency[count] -= t.perStart
		t.frequency[count+1] += t.perStart
		t.sum++
		t.squares += float64(2*count + 1)
	}
}

// startsWith is the range of the starts whose block has a place as a member.
func (t *countTable) startsWith(place int) (first, end int) {
	return max(0, place-t.length()+1), min(place+1, len(t.counts))
}

// moments returns the mean and the variance of the count of a random block.
func (t *countTable) moments() (mean, variance float64) {
	mean = t.sum * t.perStart
	return mean, max(0, t.squares*t.perStart-mean*mean)
}

// spread returns the mean of the number S of admitted values in a chain, and how
// far S can be from it with a probability that matters. Beyond that
// Bernstein's inequality (1924) leaves less than 1e-17.
func (c *blockChain) spread() (mean, reach float64) {
	wholeMean, wholeVariance := c.whole.moments()
	cutMean, cutVariance := c.cut.moments()
	blocks := float64(c.blocks)
	linear := 40.0 / 3 * float64(c.whole.length())
	variance := blocks*wholeVariance + cutVariance
	return blocks*wholeMean + cutMean, linear + math.Sqrt(linear*linear+80*variance) + 1
}
