package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Selection chooses commands or comparisons by name and tag. Without anything to
// include all are chosen. What is excluded, by name or by tag, is never chosen.
type Selection struct {
	IncludeNames, ExcludeNames []string
	IncludeTags, ExcludeTags   []string
}

// Commands returns the names of the commands chosen, in alphabetical order. A name or
// tag that no command has is an error: it is more often mistyped than meant.
func (s Selection) Commands(c Config) ([]string, error) {
	tags := make(map[string][]string, len(c.Commands))
	for name, command := range c.Commands {
		tags[name] = command.Tags
	}
	return s.choose("command", tags)
}

// Comparisons returns the names of the comparisons chosen, of both forms, in
// alphabetical order. Those in finefile's form have no tags.
func (s Selection) Comparisons(c Config) ([]string, error) {
	tags := make(map[string][]string, len(c.Comparisons)+len(c.AlphaComparisons))
	for name, comparison := range c.Comparisons {
		tags[name] = comparison.Tags
	}
	for name := range c.AlphaComparisons {
		tags[name] = nil
	}
	return s.choose("comparison", tags)
}

// choose applies the selection to things with tags.
func (s Selection) choose(thing string, tags map[string][]string) ([]string, error) {
	names := slices.Sorted(maps.Keys(tags))
	var known []string
	for _, name := range names {
		known = append(known, tags[name]...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	err := errors.Join(
		missing(thing, "", s.IncludeNames, names), missing(thing, "", s.ExcludeNames, names),
		missing(thing, " with the tag", s.IncludeTags, known), missing(thing, " with the tag", s.ExcludeTags, known))
	if err != nil {
		return nil, err
	}
	all := len(s.IncludeNames) == 0 && len(s.IncludeTags) == 0
	return slices.DeleteFunc(names, func(name string) bool {
		included := all || slices.Contains(s.IncludeNames, name) || overlap(s.IncludeTags, tags[name])
		excluded := slices.Contains(s.ExcludeNames, name) || overlap(s.ExcludeTags, tags[name])
		return !included || excluded
	}), nil
}

// missing returns an error for every wanted word that is not known.
func missing(thing, relation string, wanted, known []string) error {
	var problems []error
	for _, word := range wanted {
		if slices.Contains(known, word) {
			continue
		}
		text := fmt.Sprintf("there is no %s%s %q", thing, relation, word)
		problems = append(problems, Problem{Text: text, Hint: DidYouMean(word, known)})
	}
	return errors.Join(problems...)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(word string) bool { return slices.Contains(b, word) })
}
