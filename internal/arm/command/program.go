package command

import (
	"strconv"
	"strings"
)

// Program is what is run: Argv as it is, or, if Shell is set, Line by a shell.
type Program struct {
	Argv []string
	// Shell is the shell with the flag that a line follows, such as sh and -c.
	Shell []string
	Line  string
}

func (p Program) argv() []string {
	if len(p.Shell) == 0 {
		return p.Argv
	}
	return append(append([]string(nil), p.Shell...), p.Line)
}

// String is the command line as a user would type it.
func (p Program) String() string {
	if len(p.Shell) > 0 {
		return p.Line
	}
	words := make([]string, len(p.Argv))
	for i, word := range p.Argv {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// quote puts a word in quotes if it would not read as one word without.
func quote(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n\"'`$\\|&;<>()*?[]{}~#") {
		return strconv.Quote(word)
	}
	return word
}
