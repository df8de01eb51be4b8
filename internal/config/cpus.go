package config

import (
	"slices"
	"strconv"
	"strings"
)

// largestCPU is beyond every machine; it keeps a slip of the keyboard from becoming
// a list of a billion numbers.
const largestCPU = 65535

// CPUs are numbers of CPUs, sorted, each once. Empty means all.
type CPUs []int

func (c *CPUs) read(n *node, problems *Problems) {
	text, ok := n.value.(string)
	if !ok {
		*c = tidy(wholeNumbers(n, problems, 0, largestCPU))
		return
	}
	list, ok := ParseCPUs(text)
	if !ok {
		problems.add(n.valueAt, `write "0-3,8", or an array of numbers`, "%s is not a list of CPUs: %q", n.path(), text)
	}
	*c = list
}

func (c *CPUs) schema() map[string]any {
	numbers := oneOrMoreSchema(0, largestCPU)["anyOf"].([]any)
	list := map[string]any{"type": "string", "pattern": `^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$`}
	return map[string]any{"anyOf": append(numbers, list)}
}

// ParseCPUs reads a list as Linux writes it: numbers and ranges, separated by
// commas, such as "0-3,8". It returns false for any other text.
func ParseCPUs(text string) (CPUs, bool) {
	const longest = 4096 // characters; a list for the largest machine is shorter
	if len(text) > longest {
		return nil, false
	}
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.ParseUint(low, 10, 32)
		to, err2 := strconv.ParseUint(high, 10, 32)
		if err != nil || err2 != nil || from > to || to > largestCPU {
			return nil, false
		}
		for cpu := from; cpu <= to; cpu++ {
			list = append(list, int(cpu))
		}
	}
	return tidy(list), true
}

func tidy(list []int) CPUs {
	slices.Sort(list)
	return slices.Compact(list)
}
