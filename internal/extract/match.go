package extract

import (
	"errors"
	"fmt"
	"regexp"
)

// match finds the number by the regular expression.
func (m Metric) match(output []byte) (float64, error) {
	last := lastMatch(m.pattern, output)
	if last == nil {
		if len(output) == 0 {
			return 0, errors.New("the command printed nothing")
		}
		return 0, fmt.Errorf("nothing in the output matches; it begins with %q", beginning(output))
	}
	group := 0
	switch value := m.pattern.SubexpIndex("value"); {
	case value >= 0:
		group = value
	case m.pattern.NumSubexp() > 0 && m.pattern.SubexpNames()[1] != "unit":
		group = 1
	case m.pattern.NumSubexp() > 1:
		group = 2
	}
	unit := ""
	if i := m.pattern.SubexpIndex("unit"); i >= 0 {
		unit = string(part(output, last, i))
	}
	if last[2*group] < 0 {
		return 0, errors.New("the last match does not include the group that holds the number")
	}
	return in(string(part(output, last, group)), unit, m.Unit)
}

// lastMatch returns the places of the last match and its groups, nil for none.
// All matches are looked for from the beginning: a search that starts in the
// middle would not see what stands before it, which ^ and \b depend on.
func lastMatch(pattern *regexp.Regexp, output []byte) []int {
	all := pattern.FindAllSubmatchIndex(output, -1)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// part is the text of a group, empty where the group took no part.
func part(output []byte, places []int, group int) []byte {
	if places[2*group] < 0 {
		return nil
	}
	return output[places[2*group]:places[2*group+1]]
}
