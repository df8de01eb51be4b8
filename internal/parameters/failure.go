package parameters

import (
	"fmt"
	"strconv"
	"strings"
)

// FailureMode says which exit codes of a command are put up with. The zero value
// puts up with none: every code but 0 is a failure.
type FailureMode struct {
	// All is set where every exit code counts as success.
	All bool
	// Codes are the exit codes that count as success beside 0.
	Codes []int
}

// ParseFailureMode reads the value of --ignore-failure, where no value and
// "all-non-zero" mean every code, and a list such as "1,137" those codes.
func ParseFailureMode(text string) (FailureMode, error) {
	if text == "" || text == "all-non-zero" {
		return FailureMode{All: true}, nil
	}
	var mode FailureMode
	for field := range strings.SplitSeq(text, ",") {
		code, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil {
			return FailureMode{}, fmt.Errorf("--ignore-failure=%s: %q is no exit code: write all-non-zero, or codes such as 1,137", text, field)
		}
		mode.Codes = append(mode.Codes, int(code))
	}
	return mode, nil
}

// Accepts reports whether a command that ended with the code has done its work.
func (m FailureMode) Accepts(code int) bool {
	if code == 0 || m.All {
		return true
	}
	for _, accepted := range m.Codes {
		if code == accepted {
			return true
		}
	}
	return false
}
