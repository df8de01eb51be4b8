package parameters

import (
	"fmt"
	"math/big"
	"strings"
)

// maxDigits is the longest number that a scan accepts; it keeps the exact
// arithmetic below cheap whatever somebody types.
const maxDigits = 60

// Scan returns the axis of a range: minimum, minimum + step, and so on while
// the value does not exceed the maximum. An empty step means 1 between whole
// numbers; a range of decimals needs one. Decimals are added exactly: they keep
// their digits after the point and gather no rounding error.
//
// The first value has as many digits after the point as the minimum, the others
// as many as the longer of minimum and step: 0, 0.5, 1.0. This is what hyperfine
// prints, so names stay comparable.
//
// A text that is no decimal number, a step of zero or below, a minimum above the
// maximum and more than [MaxValues] values are errors.
func Scan(name, minimum, maximum, step string) (Axis, error) {
	values, err := scan(minimum, maximum, step)
	if err == nil {
		err = checkName(name)
	}
	if err != nil {
		return Axis{}, fmt.Errorf("parameter scan of %q: %w", name, err)
	}
	return Axis{Name: name, Values: values}, nil
}

// scan is Scan without the name.
func scan(minimum, maximum, step string) ([]string, error) {
	first, err := parseDecimal("minimum", minimum)
	if err != nil {
		return nil, err
	}
	last, err := parseDecimal("maximum", maximum)
	if err != nil {
		return nil, err
	}
	by := decimal{number: big.NewInt(1)}
	switch {
	case step != "":
		if by, err = parseDecimal("step", step); err != nil {
			return nil, err
		}
	case first.digits > 0 || last.digits > 0:
		return nil, fmt.Errorf("a range of decimals needs a step: add --parameter-step-size, for example 0.1")
	}
	digits := max(first.digits, last.digits, by.digits)
	from, to, by2 := first.at(digits), last.at(digits), by.at(digits)
	switch {
	case by2.Sign() == 0:
		return nil, fmt.Errorf("a step of zero never arrives: give a positive step")
	case by2.Sign() < 0:
		return nil, fmt.Errorf("the step %s is negative: give a positive step", step)
	case from.Cmp(to) > 0:
		return nil, fmt.Errorf("the range is empty: %s is above %s", minimum, maximum)
	}
	count := new(big.Int).Sub(to, from)
	count.Quo(count, by2)
	if count.Cmp(big.NewInt(MaxValues)) >= 0 {
		return nil, fmt.Errorf("more than %d values: use a larger step", MaxValues)
	}
	return steps(from, by2, int(count.Int64())+1, digits, first.digits, max(first.digits, by.digits)), nil
}

// steps writes count values that begin at from and lie by apart. Both are in
// units of the last of digits decimals; the first value shows firstDigits of
// them, the others otherDigits.
func steps(from, by *big.Int, count, digits, firstDigits, otherDigits int) []string {
	values := make([]string, count)
	at := new(big.Int).Set(from)
	for i := range values {
		shown := otherDigits
		if i == 0 {
			shown = firstDigits
		}
		values[i] = writeDecimal(at, digits, shown)
		at.Add(at, by)
	}
	return values
}

// decimal is number / 10^digits.
type decimal struct {
	number *big.Int
	digits int
}

// at returns d in units of 10^-digits, which must not be coarser than d's own.
func (d decimal) at(digits int) *big.Int {
	return new(big.Int).Mul(d.number, powerOfTen(digits-d.digits))
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// parseDecimal reads a number without an exponent. What says what it stands for.
func parseDecimal(what, text string) (decimal, error) {
	unsigned := strings.TrimPrefix(text, "-")
	if unsigned == text {
		unsigned = strings.TrimPrefix(text, "+")
	}
	whole, fraction, _ := strings.Cut(unsigned, ".")
	all := whole + fraction
	if all == "" || strings.Trim(all, "0123456789") != "" {
		return decimal{}, fmt.Errorf("the %s %q is not a number: write digits, such as 10 or 0.25", what, text)
	}
	if len(all) > maxDigits {
		return decimal{}, fmt.Errorf("the %s has %d digits, more than %d", what, len(all), maxDigits)
	}
	number, _ := new(big.Int).SetString(all, 10)
	if strings.HasPrefix(text, "-") {
		number.Neg(number)
	}
	return decimal{number: number, digits: len(fraction)}, nil
}

// writeDecimal writes number / 10^digits with the given number of digits after
// the point; the digits that fall away must be zeros.
func writeDecimal(number *big.Int, digits, shown int) string {
	text := new(big.Int).Abs(number).String()
	if missing := digits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - digits
	sign := ""
	if number.Sign() < 0 {
		sign = "-"
	}
	if shown == 0 {
		return sign + text[:point]
	}
	return sign + text[:point] + "." + text[point:point+shown]
}
