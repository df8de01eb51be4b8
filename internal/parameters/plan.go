package parameters

import "fmt"

// Request is what a user asked for on one command line.
type Request struct {
	// Commands are the command lines to compare, in order. At least one.
	Commands []string
	// Reference is a command line that runs first and that the others are
	// compared with; nil when there is none. No parameter is put into it.
	Reference *string
	// ReferenceName names it; it is an error without a Reference.
	ReferenceName string
	// Axes are the parameters. Every combination of their values is put into
	// every command.
	Axes []Axis
	// Names are the names of the benchmarks: none, or one for all, or one for
	// each. Without parameters the last ones may be left out. The reference has
	// a name of its own and is not counted.
	Names []string
	// Setup and Cleanup run once around each benchmark, empty for nothing.
	Setup, Cleanup string
	// Prepare and Conclude run around every single run; Outputs say where a
	// command's output goes. Each is empty, or given once for all benchmarks, or
	// once for each, the reference included and counted first.
	Prepare, Conclude, Outputs []string
}

// Benchmark is one command with everything around it; all values are put in.
type Benchmark struct {
	// Name is what the user called it, and the command line otherwise.
	Name string
	// Command is the command line.
	Command string
	// Setup, Prepare, Conclude and Cleanup are the steps around it, empty for
	// nothing; Output is where its output goes, empty when nobody said.
	Setup, Prepare, Conclude, Cleanup, Output string
	// Values are the parameters, in the order of the axes; nil for the reference.
	Values []Value
	// Hidden are those values that Name does not show: two benchmarks may have
	// one name and differ only in them.
	Hidden []Value
	// Unused are those values that neither the command nor a step has a place
	// for: nothing but a name may depend on them, which is hardly what was meant.
	Unused []Value
	// Reference marks the one benchmark that the others are compared with.
	Reference bool
}

// Label is the name, followed by the values that it does not show.
func (b Benchmark) Label() string {
	if len(b.Hidden) == 0 {
		return b.Name
	}
	return b.Name + " (" + Describe(b.Hidden) + ")"
}

// Plan writes out the benchmarks of a request: the reference first, then for
// each combination of values every command, as hyperfine numbers them. An option
// that is given neither once nor for every benchmark is an error, and so is
// whatever [Combinations] refuses.
func Plan(request Request) ([]Benchmark, error) {
	if len(request.Commands) == 0 {
		return nil, fmt.Errorf("no command given")
	}
	if request.Reference == nil && request.ReferenceName != "" {
		return nil, fmt.Errorf("--reference-name names the command of --reference, which is missing")
	}
	combinations, err := Combinations(request.Axes)
	if err != nil {
		return nil, err
	}
	if len(combinations) > MaxValues/len(request.Commands) {
		return nil, fmt.Errorf("%d commands with %d combinations of parameters are more than %d benchmarks: use fewer values",
			len(request.Commands), len(combinations), MaxValues)
	}
	commands := len(request.Commands) * len(combinations)
	if err := checkNames(request, commands); err != nil {
		return nil, err
	}
	all := commands
	if request.Reference != nil {
		all++
	}
	for _, option := range []struct {
		name  string
		given []string
	}{{"prepare", request.Prepare}, {"conclude", request.Conclude}, {"output", request.Outputs}} {
		if err := checkCount(option.name, len(option.given), all); err != nil {
			return nil, err
		}
	}
	return writeOut(request, combinations, all), nil
}

// writeOut makes the benchmarks of a request that has been checked.
func writeOut(request Request, combinations [][]Value, all int) []Benchmark {
	benchmarks := make([]Benchmark, 0, all)
	if request.Reference != nil {
		b := fill(request, *request.Reference, request.ReferenceName, nil, 0)
		b.Reference = true
		benchmarks = append(benchmarks, b)
	}
	number := 0
	for _, values := range combinations {
		for _, command := range request.Commands {
			name := ""
			if len(request.Names) == 1 && (len(request.Axes) > 0 || number == 0) {
				name = request.Names[0]
			} else if len(request.Names) > 1 && number < len(request.Names) {
				name = request.Names[number]
			}
			benchmarks = append(benchmarks, fill(request, command, name, values, len(benchmarks)))
			number++
		}
	}
	return benchmarks
}

// fill puts the values into one benchmark and everything around it. Number
// counts all benchmarks.
func fill(request Request, command, name string, values []Value, number int) Benchmark {
	if name == "" {
		name = command
	}
	prepare, conclude := pick(request.Prepare, number), pick(request.Conclude, number)
	output := pick(request.Outputs, number)
	put := func(text string) string { return Substitute(text, values) }
	return Benchmark{
		Name: put(name), Command: put(command),
		Setup: put(request.Setup), Prepare: put(prepare), Conclude: put(conclude), Cleanup: put(request.Cleanup),
		Output: put(output), Values: values, Hidden: Unused(values, name),
		Unused: Unused(values, command, request.Setup, prepare, conclude, request.Cleanup),
	}
}

// pick returns the text of one benchmark from an option that was given never,
// once or for each.
func pick(given []string, number int) string {
	switch len(given) {
	case 0:
		return ""
	case 1:
		return given[0]
	}
	return given[number]
}

// checkCount says what is wrong with the number of times an option is given.
func checkCount(option string, given, benchmarks int) error {
	if given <= 1 || given == benchmarks {
		return nil
	}
	return fmt.Errorf("--%s is given %d times for %d benchmarks: give it once for all, or once for each (a reference counts too, as the first)",
		option, given, benchmarks)
}

// checkNames says what is wrong with the number of names. Without parameters a
// user may name only the first commands.
func checkNames(request Request, benchmarks int) error {
	switch given := len(request.Names); {
	case given > benchmarks && len(request.Axes) == 0:
		return fmt.Errorf("--command-name is given %d times for %d commands", given, benchmarks)
	case given > 1 && given != benchmarks && len(request.Axes) > 0:
		return fmt.Errorf("--command-name is given %d times for %d benchmarks: with parameters give it once for all, or once for each",
			given, benchmarks)
	}
	return nil
}
