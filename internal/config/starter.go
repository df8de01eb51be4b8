package config

import _ "embed"

//go:embed starter.toml
var starter []byte

// Starter returns a configuration file to begin with: with comments, and with
// commands that run wherever there is a shell.
func Starter() []byte { return append([]byte(nil), starter...) }
