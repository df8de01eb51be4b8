package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checker looks for what the types of single values cannot tell: keys that exclude
// each other, names that do not exist, numbers that contradict each other. It also
// fills in what depends on more than one key.
type checker struct {
	config   *Config
	problems Problems
}

func (c *checker) all() {
	for _, name := range slices.Sorted(maps.Keys(c.config.Commands)) {
		command := c.config.Commands[name]
		c.command(c.config.root.find("commands", name), &command)
		c.config.Commands[name] = command
	}
	for _, name := range slices.Sorted(maps.Keys(c.config.Comparisons)) {
		comparison := c.config.Comparisons[name]
		c.comparison(c.config.root.find("compare", name), &comparison)
		c.config.Comparisons[name] = comparison
	}
	for _, name := range slices.Sorted(maps.Keys(c.config.AlphaComparisons)) {
		comparison := c.config.AlphaComparisons[name]
		c.alphaComparison(c.config.root.find("alpha", "compare", name), &comparison)
		c.config.AlphaComparisons[name] = comparison
		if other := c.config.root.find("compare", name); other != nil {
			c.at(c.config.root.find("alpha", "compare", name), "rename one of them",
				"two comparisons are named %q (the other is at %s)", name, other.keyAt)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.config.Plots)) {
		c.plot(c.config.root.find("plots", name), c.config.Plots[name])
	}
}

// at notes a problem of a value.
func (c *checker) at(n *node, hint, format string, args ...any) {
	c.problems.add(n.valueAt, hint, format, args...)
}

// apart notes when more than one of some keys is given; it returns those given.
func (c *checker) apart(table *node, keys ...string) []string {
	var given []string
	for _, key := range keys {
		if table.find(key) != nil {
			given = append(given, key)
		}
	}
	if len(given) > 1 {
		c.problems.add(table.find(given[1]).keyAt, "keep one of them", "%s has both %s (the other is at %s)",
			table.path(), strings.Join(given[:2], " and "), table.find(given[0]).keyAt)
	}
	return given
}

// exists notes when a value names a command that there is not.
func (c *checker) exists(n *node, name string) bool {
	if _, ok := n.value.(string); !ok {
		return false // of a wrong type: said already
	}
	if _, ok := c.config.Commands[name]; ok {
		return true
	}
	hint := DidYouMean(name, slices.Collect(maps.Keys(c.config.Commands)))
	if len(c.config.Commands) == 0 {
		hint = "there are no commands"
	}
	c.at(n, hint, "%s names the command %q, which does not exist", n.path(), name)
	return false
}

// plot checks a picture.
func (c *checker) plot(n *node, plot Plot) {
	lower := strings.ToLower(plot.File)
	if plot.File != "" && !strings.HasSuffix(lower, ".svg") && !strings.HasSuffix(lower, ".html") {
		c.at(n.find("file"), "end it in .svg or .html", "%s names a file of an unknown format", n.find("file").path())
	}
	for i, name := range plot.Commands {
		c.exists(n.find("commands").items[i], name)
	}
}

// plural returns "1 thing" or "2 things".
func plural(count int, thing string) string {
	if count == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", count, thing)
}
