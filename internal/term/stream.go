package term

import (
	"os"
	"runtime"
	"strconv"

	"golang.org/x/term"
)

// The size assumed where nobody knows one, in character cells.
const (
	DefaultWidth  = 80
	DefaultHeight = 24
)

// Stream says what a stream can do. The zero value is a pipe of unknown width.
type Stream struct {
	// Terminal is set where somebody is looking at a terminal.
	Terminal bool
	// Escapes is set where that terminal obeys escape sequences.
	Escapes bool
	// Width and Height are its size in character cells. For what is not a
	// terminal they are COLUMNS and LINES, or the defaults.
	Width, Height int
}

// Inspect looks at an open file. The environment is asked through env, as
// os.Getenv would answer. On Windows it switches the terminal to escape
// sequences, where it knows them.
func Inspect(file *os.File, env func(name string) string) Stream {
	s := Stream{Terminal: term.IsTerminal(int(file.Fd()))}
	s.Escapes = s.Terminal && knowsEscapes(env("TERM"), runtime.GOOS) && switchOnEscapes(file)
	if s.Terminal {
		s.Width, s.Height = Size(file)
		return s
	}
	s.Width, s.Height = positive(env("COLUMNS"), DefaultWidth), positive(env("LINES"), DefaultHeight)
	return s
}

// knowsEscapes reports whether a terminal of that name obeys escape sequences.
// Windows does not name its terminals.
func knowsEscapes(name, system string) bool {
	return name != "dumb" && (name != "" || system == "windows")
}

// Size returns the present size of a terminal in character cells, and the
// defaults for anything else. A terminal may be resized at any time.
func Size(file *os.File) (width, height int) {
	width, height, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return DefaultWidth, DefaultHeight
	}
	return width, height
}

// positive reads a whole number above 0.
func positive(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return otherwise
}
