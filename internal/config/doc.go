// Package config reads what the user wants measured: commands, HTTP loads,
// comparisons, plots and gates, written in TOML.
//
// [Load] merges several files, checks everything and reports all problems at
// once, each with file, line, column and a hint. Every value keeps its position,
// so that a later check can point at it as well ([Config.Problem]). [Schema]
// describes the same keys for editors, [Format] lays a file out canonically and
// [Starter] is a file to begin with.
//
// Files written for finefile are read unchanged. The package starts nothing, opens
// no file but those it is told to load, and knows nothing about how a command is
// measured or judged.
package config
