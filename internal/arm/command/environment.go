package command

import (
	"strconv"
	"strings"
)

const (
	// IterationVariable holds the number of the run: 0, 1 and so on, and
	// warmup-0, warmup-1 and so on for untimed runs. The name is that of
	// hyperfine, so that scripts made for it go on working.
	IterationVariable = "HYPERFINE_ITERATION"
	// OffsetVariable holds a random number, 0 to 4095, of letters X. The size of
	// the environment moves a program's stack, which can make it faster or
	// slower; this makes that a matter of chance, drawn anew at every run.
	OffsetVariable = "HYPERFINE_RANDOMIZED_ENVIRONMENT_OFFSET"
)

// mostOffset is the number of different sizes of OffsetVariable.
const mostOffset = 4096

// iteration is the value of IterationVariable.
func iteration(run int, untimed bool) string {
	if untimed {
		return "warmup-" + strconv.Itoa(run)
	}
	return strconv.Itoa(run)
}

// variables are those that a run gets in addition.
func variables(iteration string, offset int) []string {
	return []string{IterationVariable + "=" + iteration, OffsetVariable + "=" + strings.Repeat("X", offset)}
}

// with is an environment with variables added or replaced.
func with(env, more []string) []string {
	all := make([]string, 0, len(env)+len(more))
	for _, entry := range env {
		if !replaced(entry, more) {
			all = append(all, entry)
		}
	}
	return append(all, more...)
}

func replaced(entry string, more []string) bool {
	name, _, _ := strings.Cut(entry, "=")
	for _, other := range more {
		if strings.HasPrefix(other, name+"=") {
			return true
		}
	}
	return false
}
