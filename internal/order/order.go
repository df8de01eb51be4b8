// Package order decides who is visited when.
//
// An order is a pure sequence: it maps the number of a round to the direction
// in which the slots of that round are visited. It owns no clock and no
// randomness, so a whole run's order can be checked without running anything.
package order

// Kind names a visiting order.
type Kind int

const (
	// ABBA turns the direction around every round: a b, b a, a b, b a. Over any
	// two rounds each slot has the same mean position, and each follows the
	// other equally often, so a steady trend of the machine cancels.
	ABBA Kind = iota
	// Random draws the direction of every round by a fair coin.
	Random
	// Sequential visits the slots in the same direction in every round.
	Sequential
	// Blocks is ABBA in blocks of two rounds, and a fair coin decides which of
	// the two directions a block begins with. It is as balanced as ABBA and has
	// no period that a candidate's own cycle, such as a ring of inputs, could
	// run in step with.
	Blocks
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case ABBA:
		return "ABBA"
	case Random:
		return "Random"
	case Sequential:
		return "Sequential"
	case Blocks:
		return "Blocks"
	}
	return "unknown"
}

// Known reports whether k is one of the defined orders.
func (k Kind) Known() bool { return k >= ABBA && k <= Blocks }

// Coin is a source of random bits; only Random and Blocks ask it.
type Coin interface{ Uint64() uint64 }

// Sequence hands out directions round by round. The zero value is ABBA
// starting forward.
type Sequence struct {
	kind  Kind
	coin  Coin
	round int
	// turned is the direction that the current block began with.
	turned bool
}

// New returns a sequence of the given kind. A nil coin makes Random and Blocks
// behave like ABBA.
func New(kind Kind, coin Coin) *Sequence { return &Sequence{kind: kind, coin: coin} }

// Next reports whether the next round runs forward, from the first slot to the
// last.
func (s *Sequence) Next() (forward bool) {
	even := s.round%2 == 0
	s.round++
	switch s.kind {
	case Sequential:
		return true
	case Random:
		if s.coin != nil {
			return s.coin.Uint64()>>63 == 0
		}
	case Blocks:
		if even && s.coin != nil {
			s.turned = s.coin.Uint64()>>63 == 1
		}
		return even != s.turned
	}
	return even
}

// Visit returns the slot visited at the given position of a round over count
// slots.
func Visit(position, count int, forward bool) int {
	if forward {
		return position
	}
	return count - 1 - position
}

// Nested returns the slots of one round in which every arm is measured against
// itself: first halves outward, second halves inward. For two arms it is
// a b b' a', so that no arm runs more than two batches in a row and both halves
// of an arm have the same neighbours over a forward and a backward round. Each
// slot is an arm and a replica, 0 or 1.
func Nested(arms int) []Slot {
	slots := make([]Slot, 0, 2*arms)
	for arm := range arms {
		slots = append(slots, Slot{Arm: arm})
	}
	for arm := arms - 1; arm >= 0; arm-- {
		slots = append(slots, Slot{Arm: arm, Replica: 1})
	}
	return slots
}

// Plain returns the slots of one round that visits every arm once.
func Plain(arms int) []Slot { return Nested(arms)[:arms] }

// Slot is one place in a round: which arm, and which of its replicas.
type Slot struct{ Arm, Replica int }
