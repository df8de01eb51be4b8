package view

import "slices"

// GroupSides collects sides that cannot be told apart. order lists the sides,
// fastest first; apart reports whether two of them were told apart, and judged
// whether they were compared at all. A group is a longest stretch of the order
// of which no two members were told apart, so that a side in the middle can
// stand in two groups: being indistinguishable is not transitive. The result
// is nil unless every pair was judged.
func GroupSides(order []int, apart func(a, b int) (told, judged bool)) [][]int {
	for i, a := range order {
		for _, b := range order[i+1:] {
			if _, judged := apart(a, b); !judged {
				return nil
			}
		}
	}
	var groups [][]int
	reached := 0
	for start := range order {
		end := start + 1
		for end < len(order) && !anyApart(order[start:end], order[end], apart) {
			end++
		}
		if end > reached {
			groups = append(groups, slices.Clone(order[start:end]))
			reached = end
		}
	}
	return groups
}

func anyApart(members []int, candidate int, apart func(a, b int) (told, judged bool)) bool {
	return slices.ContainsFunc(members, func(member int) bool {
		told, _ := apart(member, candidate)
		return told
	})
}

// GroupText words the groups by the sides' letters, such as "B = C, then A", or
// is "" where there are none.
func (c *Comparison) GroupText() string {
	text := ""
	for i, group := range c.Groups {
		if i > 0 {
			text += ", then "
		}
		for k, side := range group {
			if k > 0 {
				text += " = "
			}
			text += c.letter(side)
		}
	}
	return text
}

// GroupMeaning says what the order of the groups is.
func (c *Comparison) GroupMeaning() string {
	first := "Fastest"
	if metric := c.MainMetric(); metric != SeriesWall {
		first = "Lowest " + MetricName(metric)
		for _, p := range c.Pairs {
			if c.IsMain(p) && p.Describes.Better == "higher" {
				first = "Highest " + MetricName(metric)
			}
		}
	}
	return first + " first, = where two cannot be told apart: "
}
