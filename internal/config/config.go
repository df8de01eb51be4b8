package config

// Config is what the files say, merged and checked, with defaults filled in: what
// Defaults holds is part of Commands already. Its maps are nil where the files say
// nothing.
type Config struct {
	// The commands to measure, by name.
	Commands map[string]Command `toml:"commands"`

	// Keys that every command takes over unless it has them itself.
	Defaults Command `toml:"defaults.commands"`

	// Comparisons of two or more commands, by name.
	Comparisons map[string]Comparison `toml:"compare"`

	// Comparisons by finefile's rule: two HTTP commands in interleaved rounds, by name.
	AlphaComparisons map[string]AlphaComparison `toml:"alpha.compare"`

	// Pictures of the results, by name.
	Plots map[string]Plot `toml:"plots"`

	// What a change may cost before it is refused.
	Gate map[string]any `toml:"gate"`

	// Base is the directory that relative paths start from: where the first file
	// lies, the working directory if that is standard input.
	Base string

	// Files are the files read, in the order in which they were merged.
	Files []string

	root *node
}

// Position returns where the value at a path of keys stands, such as "commands",
// "base", "runs". A value that came from the defaults stands there. If the value is
// absent, ok is false and the position is that of the nearest table around it.
//
// HTTP tables are found under "http", however they were written; items of arrays under
// "[0]", "[1]" and so on.
func (c Config) Position(path ...string) (at Position, ok bool) {
	n := c.root
	if n == nil {
		return Position{}, false
	}
	for _, name := range path {
		inner := n.entry(name)
		if inner == nil {
			return n.keyAt, false
		}
		n = inner
	}
	return n.valueAt, true
}

// Has reports whether the files, the defaults included, give a value at a path of
// keys: whether a value in the Config was written or filled in.
func (c Config) Has(path ...string) bool { return c.root.find(path...) != nil }

// Problem returns an error about the value at a path of keys: what is wrong with it
// and what would be right.
func (c Config) Problem(text, hint string, path ...string) error {
	at, _ := c.Position(path...)
	return Problem{At: at, Text: text, Hint: hint}
}
