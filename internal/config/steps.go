package config

import "errors"

// Steps are a set of parts of what a command does. The zero value is the set of all.
type Steps uint8

// The steps, in the order in which they run.
const (
	StepSetup    Steps = 1 << iota // once before the runs
	StepPrepare                    // before each timed run
	StepCommand                    // the timed runs themselves
	StepConclude                   // after each timed run
	StepCleanup                    // once after the runs
)

// stepNames are the words for the steps, in order.
var stepNames = []string{"setup", "prepare", "command", "conclude", "cleanup"}

// ParseSteps returns the set of the named steps: setup, prepare, command, conclude,
// cleanup. Without names it is the set of all.
func ParseSteps(names []string) (Steps, error) {
	var set Steps
	var problems []error
	for _, name := range names {
		step, ok := stepNamed(name)
		if !ok {
			problems = append(problems, Problem{
				Text: "there is no step " + quoteKey(name), Hint: DidYouMean(name, stepNames)})
		}
		set |= step
	}
	return set, errors.Join(problems...)
}

func stepNamed(name string) (Steps, bool) {
	for i, known := range stepNames {
		if name == known {
			return 1 << i, true
		}
	}
	return 0, false
}

// Has reports whether the set contains a step.
func (s Steps) Has(step Steps) bool { return s == 0 || s&step == step }

// String returns the names of the steps in the set, separated by commas.
func (s Steps) String() string {
	text := ""
	for i, name := range stepNames {
		if !s.Has(1 << i) {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += name
	}
	return text
}
