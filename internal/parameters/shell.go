package parameters

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kballard/go-shellquote"
)

// Split cuts a command line into words as a POSIX shell does: blanks separate,
// quotes and backslashes hold together. Nothing is expanded. An open quote and a
// line without words are errors.
func Split(line string) ([]string, error) {
	words, err := shellquote.Split(line)
	switch {
	case errors.Is(err, shellquote.UnterminatedSingleQuoteError), errors.Is(err, shellquote.UnterminatedDoubleQuoteError):
		return nil, fmt.Errorf("command %q: a quotation mark is opened and never closed", line)
	case errors.Is(err, shellquote.UnterminatedEscapeError):
		return nil, fmt.Errorf("command %q ends in a backslash that has nothing to escape", line)
	case err != nil:
		return nil, fmt.Errorf("command %q: %w", line, err)
	case len(words) == 0:
		return nil, errors.New("the command is empty")
	case words[0] == "":
		return nil, fmt.Errorf("command %q: the name of the program is empty", line)
	}
	return words, nil
}

// NeedsShell reports whether a command line means something that only a shell on
// this system can do. Without a shell a run is faster to start and steadier.
// When in doubt it is true.
func NeedsShell(line string) bool { return ShellReason(line, runtime.GOOS) != "" }

// ShellReason says why a command line needs the shell of an operating system
// (named as in runtime.GOOS), such as "a variable ($)". It is empty when [Split]
// gives exactly the words that the shell would start the program with.
func ShellReason(line, system string) string {
	if system == "windows" {
		return commandPromptReason(line)
	}
	if !utf8.ValidString(line) || strings.ContainsRune(line, 0) {
		return "characters that are not text"
	}
	if reason := metacharacter(line); reason != "" {
		return reason
	}
	words, err := Split(line)
	if err != nil {
		return "a line that only a shell can read"
	}
	switch first := words[0]; {
	case slices.Contains(reservedWords, first):
		return "a word of the shell's language (" + first + ")"
	case slices.Contains(builtins, first):
		return "a command built into the shell (" + first + ")"
	case strings.Contains(first, "="):
		return "an assignment (" + first + ")"
	}
	return ""
}

// metacharacters have a meaning outside of quotes, wherever they stand.
var metacharacters = map[byte]string{
	'|': "a pipe (|)", '&': "a background job or a list (&)", ';': "a list of commands (;)",
	'<': "a redirection (<)", '>': "a redirection (>)", '(': "a subshell or function (()", ')': "a subshell or function ())",
	'$': "a variable ($)", '`': "a command substitution (`)", '\n': "more than one line", '\r': "a carriage return",
	'*': "a file pattern (*)", '?': "a file pattern (?)", '[': "a file pattern ([)",
	'{': "braces", '}': "braces", '~': "a home directory (~)", '!': "a history or negation mark (!)",
}

// metacharacter names the first character that a shell would not take as it is.
func metacharacter(line string) string {
	var quote byte
	wordStart := true
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			}
		case c == '\\':
			i++ // the next one is literal, or the line does not split
			if i < len(line) && line[i] == '\n' {
				return metacharacters['\n']
			}
		case quote == '"':
			if c == '"' {
				quote = 0
			} else if c == '$' || c == '`' {
				return metacharacters[c]
			}
		case c == '\'' || c == '"':
			quote = c
		case metacharacters[c] != "":
			return metacharacters[c]
		case c == '#' && wordStart:
			return "a comment (#)"
		case c < ' ' && c != '\t':
			return "a control character"
		}
		wordStart = quote == 0 && (c == ' ' || c == '\t')
	}
	return ""
}

// commandPromptReason is [ShellReason] for cmd.exe, whose quotes and backslashes
// are not those of Split: a line has to be very plain.
func commandPromptReason(line string) string {
	for _, r := range line {
		switch {
		case strings.ContainsRune(`\"'^%!&|<>()=;,*?@~$`+"`", r):
			return "a character that has a meaning for cmd.exe (" + string(r) + ")"
		case r < ' ' || r == utf8.RuneError:
			return "characters that are not text"
		}
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return "a line that only a shell can read"
	}
	first := strings.ToLower(words[0])
	if slices.Contains(commandPromptBuiltins, first) {
		return "a command built into cmd.exe (" + first + ")"
	}
	return ""
}
