package stopping

// Answer is how a comparison ended.
type Answer int8

// The answers.
const (
	// None: the rounds were used up.
	None Answer = iota
	// Slower: b is slower than a.
	Slower
	// Faster: b is faster than a.
	Faster
	// Same: the difference does not matter.
	Same
)

// different reports whether an answer names a slower side.
func (a Answer) different() bool { return a == Slower || a == Faster }

// Rule is a stopping rule.
type Rule interface {
	// Name is how tables call the rule.
	Name() string
	// follow returns what the rule sees of the rounds of identical code.
	follow(t *track) course
}

// course is what a rule sees at each of its looks. Both methods hold for rounds
// in which b is slower than in those that were followed, by a shift of the log
// ratio.
type course interface {
	// ending is the first answer, and after how many rounds it comes.
	ending(shift float64) (answer Answer, rounds int)
	// everDifferent reports whether any look names a slower side, in a
	// comparison that goes on when the answer is Same.
	everDifferent(shift float64) bool
}

// first walks through the looks of a course until one has an answer that ends
// it.
func first(looks int, answer func(index int) Answer, ends func(Answer) bool) (Answer, int) {
	for i := range looks {
		if a := answer(i); ends(a) {
			return a, i
		}
	}
	return None, -1
}

func answered(a Answer) bool { return a != None }
