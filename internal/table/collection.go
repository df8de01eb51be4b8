package table

// Collection is the order in which the sides of a comparison were measured, as
// far as the inputs show it.
type Collection string

const (
	// UnknownOrder is said where there are fewer than two runs or no second side.
	UnknownOrder Collection = "unknown"
	// Blocks means that all runs of one side of a benchmark stand next to each
	// other: what changed on the machine meanwhile looks like a difference.
	Blocks Collection = "blocks"
	// Rounds means that each side has its own input and the whole suite was run
	// several times over. The sides may have taken turns; the inputs do not say.
	Rounds Collection = "rounds"
	// Alternating means that the sides took turns.
	Alternating Collection = "alternating"
	// FromRecord means that the values come from a record of this program, which
	// alternates and knows the order.
	FromRecord Collection = "record"
)

// collectionOf looks at the rows with several runs of two sides. The order that
// most of them have counts.
func collectionOf(s *Set) Collection {
	votes := map[Collection]int{}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			for _, c := range r.Cells[1:] {
				if a := r.Cells[0]; a != nil && c != nil && len(a.Values) > 1 && len(c.Values) > 1 {
					votes[s.orderOf(a, c)]++
				}
			}
		}
	}
	best := UnknownOrder
	for _, c := range []Collection{Blocks, Rounds, Alternating} {
		if votes[c] > votes[best] {
			best = c
		}
	}
	return best
}

// orderOf looks at one pair of cells.
func (s *Set) orderOf(a, b *Cell) Collection {
	if s.file(a) == "" || s.file(a) != s.file(b) {
		if s.file(a) != "" && s.file(b) != "" && !consecutive(a) && !consecutive(b) {
			return Rounds
		}
		return Blocks
	}
	// One input holds both sides: count how often the side changes.
	changes, i, j := 0, 0, 0
	side, previous := 0, 0
	for i < len(a.Results) || j < len(b.Results) {
		if j == len(b.Results) || i < len(a.Results) && a.Results[i] < b.Results[j] {
			side, i = 1, i+1
		} else {
			side, j = 2, j+1
		}
		if previous != 0 && side != previous {
			changes++
		}
		previous = side
	}
	if changes >= min(len(a.Results), len(b.Results)) {
		return Alternating
	}
	return Blocks
}

// file is the input that all results of a cell come from, or "".
func (s *Set) file(c *Cell) string {
	file := s.positions.list[c.Results[0]].file
	for _, r := range c.Results {
		if s.positions.list[r].file != file {
			return ""
		}
	}
	return s.positions.files[file]
}

// consecutive reports whether nothing else was measured between the results of
// a cell.
func consecutive(c *Cell) bool {
	return int(c.Results[len(c.Results)-1]-c.Results[0]) == len(c.Results)-1
}
