package gobuild

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// pipeDelay is how long output is waited for after the go command was ended.
const pipeDelay = 2 * time.Second

// splitFlags splits the value of GOFLAGS: at spaces, except between quotes.
func splitFlags(text string) ([]string, error) {
	var flags []string
	for {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			return flags, nil
		}
		if quote := text[0]; quote == '"' || quote == '\'' {
			flag, rest, closed := strings.Cut(text[1:], string(quote))
			if !closed {
				return nil, errors.New("a quotation mark is missing at the end")
			}
			flags, text = append(flags, flag), rest
			continue
		}
		end := strings.IndexAny(text, " \t\n\r")
		if end < 0 {
			end = len(text)
		}
		flags, text = append(flags, text[:end]), text[end:]
	}
}

// joinFlags makes a value of GOFLAGS.
func joinFlags(flags []string) (string, error) {
	quoted := make([]string, len(flags))
	for i, flag := range flags {
		switch {
		case !strings.ContainsAny(flag, " \t\n\r'\""):
			quoted[i] = flag
		case !strings.Contains(flag, "'"):
			quoted[i] = "'" + flag + "'"
		case !strings.Contains(flag, `"`):
			quoted[i] = `"` + flag + `"`
		default:
			return "", fmt.Errorf("flag %s: GOFLAGS cannot hold both kinds of quotation marks", flag)
		}
	}
	return strings.Join(quoted, " "), nil
}

// userFlags are the flags that a user builds with, sorted by what becomes of
// them.
type userFlags struct {
	linker    []string // values of -ldflags, in order
	overlay   string
	modFile   string
	instances []string // -race, -cover and the like, which measure something else
	rest      []string
}

// instrumented are the flags whose binaries cannot be paused.
var instrumented = []string{"race", "msan", "asan", "cover", "covermode", "coverpkg"}

// valued are the flags of go build and go test that take a value.
var valued = []string{
	"C", "asmflags", "buildmode", "buildvcs", "compiler", "covermode", "coverpkg", "gccgoflags", "gcflags", "installsuffix",
	"ldflags", "mod", "modfile", "overlay", "p", "pgo", "pkgdir", "tags", "toolexec", "vet",
}

// sortFlags sorts flags. A value may stand behind its flag on its own. Flags
// that decide what is built at all are an error.
func sortFlags(flags []string) (userFlags, error) {
	var u userFlags
	for i := 0; i < len(flags); i++ {
		text := flags[i]
		name, value, hasValue := strings.Cut(strings.TrimLeft(text, "-"), "=")
		if !strings.HasPrefix(text, "-") || name == "" {
			return u, fmt.Errorf("build flag %q: a flag begins with a dash", text)
		}
		if !hasValue && slices.Contains(valued, name) {
			if i++; i == len(flags) {
				return u, fmt.Errorf("build flag %q: its value is missing", text)
			}
			value, text = flags[i], "-"+name+"="+flags[i]
		}
		switch name {
		case "ldflags":
			u.linker = append(u.linker, value)
		case "overlay":
			u.overlay = value
		case "modfile":
			u.modFile = value
		case "trimpath", "vet", "buildvcs":
			// Decided here.
		case "c", "o", "exec", "json", "args", "C":
			return u, fmt.Errorf("build flag -%s: it cannot be used here", name)
		default:
			if slices.Contains(instrumented, name) && value != "false" {
				u.instances = append(u.instances, name)
			}
			u.rest = append(u.rest, text)
		}
	}
	return u, nil
}

// linkerFlags are the -ldflags of a build: the user's, each with the layout
// added, since of several that fit a package only the last counts.
func linkerFlags(user []string, layout int) []string {
	add := ""
	if layout != 0 {
		add = fmt.Sprintf("-randlayout=%d", layout)
	}
	flags := []string{}
	if add != "" {
		flags = append(flags, "-ldflags="+add)
	}
	for _, value := range user {
		if strings.TrimSpace(value) != "" || add == "" {
			value += " "
		}
		flags = append(flags, "-ldflags="+strings.TrimRight(value+add, " "))
	}
	return flags
}
