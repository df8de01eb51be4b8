package term

import "fmt"

// ColorChoice is the value of --color.
type ColorChoice string

// What a user can say about colour.
const (
	// ColorAuto uses colour where it suits, see [ColorChoice.Use].
	ColorAuto ColorChoice = "auto"
	// ColorAlways uses colour everywhere, in files too.
	ColorAlways ColorChoice = "always"
	// ColorNever uses none.
	ColorNever ColorChoice = "never"
)

// ParseColorChoice reads the value of --color; nothing means auto.
func ParseColorChoice(text string) (ColorChoice, error) {
	switch choice := ColorChoice(text); choice {
	case "":
		return ColorAuto, nil
	case ColorAuto, ColorAlways, ColorNever:
		return choice, nil
	}
	return "", fmt.Errorf("--color=%s: it has to be auto, always or never", text)
}

// Use decides whether a stream gets colour. What the user says on the command
// line wins. Otherwise NO_COLOR (https://no-color.org) forbids it, CLICOLOR_FORCE
// demands it, CLICOLOR=0 forbids it, in this order; else it is for terminals that
// obey escape sequences, which excludes TERM=dumb. The environment is asked
// through env, as os.Getenv would answer.
func (c ColorChoice) Use(stream Stream, env func(name string) string) bool {
	switch c {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	force := env("CLICOLOR_FORCE")
	switch {
	case env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case env("CLICOLOR") == "0":
		return false
	}
	return stream.Escapes
}

// Styles writes text in styles. The zero value leaves every text as it is, which
// is right wherever there is no colour.
type Styles struct {
	// Color is set where the stream gets colour.
	Color bool
}

// Bold makes a text stand out.
func (s Styles) Bold(text string) string { return s.wrap("1", "22", text) }

// Dim makes a text step back.
func (s Styles) Dim(text string) string { return s.wrap("2", "22", text) }

// Red is for what went wrong or got worse.
func (s Styles) Red(text string) string { return s.wrap("31", "39", text) }

// Green is for what got better.
func (s Styles) Green(text string) string { return s.wrap("32", "39", text) }

// Yellow is for warnings and for what is not decided.
func (s Styles) Yellow(text string) string { return s.wrap("33", "39", text) }

// wrap switches a style on before a text and off behind it. Each style has its
// own way off, so that one inside another leaves the outer one on.
func (s Styles) wrap(on, off, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + on + "m" + text + "\x1b[" + off + "m"
}
