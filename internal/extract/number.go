package extract

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// longestNumber bounds the text that is looked at as a number, in bytes.
const longestNumber = 200

// numberText is a number as programs print it: a sign, digits in groups or not,
// a fraction, an exponent. What follows it is the unit.
var numberText = regexp.MustCompile(`^[+-]?(?:[0-9][0-9_,]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)

// grouped is a whole number whose thousands are set apart.
var grouped = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{3})+$`)

// ParseNumber reads a number as programs print it, and the unit behind it, which
// is empty where there is none. It takes exponents (1.5e-3), underscores between
// digits (1_000) and commas between groups of three digits (1,234.5). A comma
// elsewhere is an error, because it may be a decimal comma; NaN and infinities
// are errors.
func ParseNumber(text string) (value float64, unit string, err error) {
	trimmed := strings.TrimSpace(text)
	if len(trimmed) > longestNumber {
		return 0, "", fmt.Errorf("%q... is too long for a number", firstCharacters(trimmed, 40))
	}
	if isNotFinite(trimmed) {
		return 0, "", fmt.Errorf("the value is %s, which is not a number to compare", trimmed)
	}
	number := numberText.FindString(trimmed)
	unit = strings.TrimSpace(trimmed[len(number):])
	if number == "" || (unit != "" && strings.ContainsAny(unit[:1], ".,_:+-0123456789")) {
		return 0, "", fmt.Errorf("%q is not a number", trimmed)
	}
	plain, err := withoutGroups(number)
	if err != nil {
		return 0, "", err
	}
	value, err = strconv.ParseFloat(plain, 64)
	if errors.Is(err, strconv.ErrRange) || math.IsInf(value, 0) {
		return 0, "", fmt.Errorf("%s is too large", number)
	}
	if err != nil {
		return 0, "", fmt.Errorf("%q is not a number", trimmed)
	}
	return value, unit, nil
}

// isNotFinite knows how programs print what is no finite number.
func isNotFinite(text string) bool {
	switch strings.TrimLeft(strings.ToLower(text), "+-") {
	case "nan", "inf", "infinity", "∞":
		return true
	}
	return false
}

// withoutGroups removes what sets groups of digits apart.
func withoutGroups(number string) (string, error) {
	whole, rest := number, ""
	if end := strings.IndexAny(number, ".eE"); end >= 0 {
		whole, rest = number[:end], number[end:]
	}
	digits := strings.TrimLeft(whole, "+-")
	sign := whole[:len(whole)-len(digits)]
	switch {
	case strings.Contains(digits, ",") && !grouped.MatchString(digits):
		return "", fmt.Errorf("%s: a comma may only separate groups of three digits; write a decimal point", number)
	case strings.HasSuffix(digits, "_"), strings.Contains(digits, "__"):
		return "", fmt.Errorf("%s: an underscore may only stand between digits", number)
	}
	return sign + strings.NewReplacer(",", "", "_", "").Replace(digits) + rest, nil
}

// in reads a text as a number of the given unit. A unit behind the number is
// converted; a number without one is taken to be in that unit already. Without a
// wanted unit a number must stand alone: the next run might print another unit.
func in(text, printed, wanted string) (float64, error) {
	value, behind, err := ParseNumber(text)
	if err != nil {
		return 0, err
	}
	if printed == "" {
		printed = behind
	} else if behind != "" {
		return 0, fmt.Errorf("%q has a unit of its own beside the unit %q", strings.TrimSpace(text), printed)
	}
	switch {
	case printed == "":
		return value, nil
	case wanted == "":
		return 0, fmt.Errorf("the value %q has the unit %s: say which unit to report it in, such as unit=%s", strings.TrimSpace(text), printed, printed)
	}
	converted, err := Convert(value, printed, wanted)
	if err != nil {
		if composite, ok := compositeDuration(text, wanted); ok {
			return composite, nil
		}
		return 0, fmt.Errorf("the value %q: %w", strings.TrimSpace(text), err)
	}
	if math.IsInf(converted, 0) {
		return 0, fmt.Errorf("%s is too large in %s", strings.TrimSpace(text), wanted)
	}
	return converted, nil
}

// compositeDuration reads a duration of several units, such as 1m2.5s.
func compositeDuration(text, wanted string) (float64, bool) {
	if u, ok := unitOf(wanted); !ok || u.quantity != timeQuantity {
		return 0, false
	}
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil {
		return 0, false
	}
	value, err := Convert(float64(d), "ns", wanted)
	return value, err == nil
}

// beginning is the start of an output, for messages.
func beginning(output []byte) string {
	return firstCharacters(string(output[:min(len(output), 84)]), 80)
}

// firstCharacters returns at most n bytes of a text, cut between characters.
func firstCharacters(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
