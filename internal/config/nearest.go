package config

import (
	"slices"
	"strconv"
	"strings"
)

// DidYouMean returns a hint for a word that none of the known ones equals: the
// nearest of them if it is near, else a list of all. It is empty when nothing is
// known. It suits the Hint of a [Problem].
func DidYouMean(word string, known []string) string {
	if near, ok := nearest(word, known); ok {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	if len(known) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(known))
	const most = 40
	if len(sorted) > most {
		sorted = append(sorted[:most], "...")
	}
	return "known here: " + strings.Join(sorted, ", ")
}

// nearest returns the known word with the fewest typing mistakes to word, the
// first of equals in alphabetical order, if at most a third of it is mistyped.
func nearest(word string, known []string) (string, bool) {
	best, fewest := "", max(1, len([]rune(word))/3)+1
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		n := mistakes(fold(word), fold(candidate))
		if n < fewest && n < max(len([]rune(word)), len([]rune(candidate))) { // something of it has to be right
			best, fewest = candidate, n
		}
	}
	if best == "" {
		best = begunBy(word, known)
	}
	return best, best != ""
}

// begunBy returns the known word of which word is the first part, if there is one only.
func begunBy(word string, known []string) string {
	found := ""
	for _, candidate := range known {
		if !strings.HasPrefix(string(fold(candidate)), string(fold(word))+"-") {
			continue
		}
		if found != "" {
			return ""
		}
		found = candidate
	}
	return found
}

// fold takes away what people vary freely: case, and the separator.
func fold(word string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(word), "_", "-"))
}

// mistakes counts the insertions, deletions, replacements and swaps of neighbours
// that turn one word into the other, no letter being touched twice ("optimal string
// alignment"; Damerau 1964, computed as by Wagner and Fischer 1974).
func mistakes(a, b []rune) int {
	const longest = 100 // no key is longer; the work grows with the square
	if len(a) > longest || len(b) > longest {
		return max(len(a), len(b)) // as if nothing were right
	}
	var twoAbove []int
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			replaced := above[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoAbove[j-1]+1)
			}
		}
		twoAbove, above = above, row
	}
	return above[len(b)]
}
