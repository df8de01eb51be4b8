package benchtext

import (
	"math"
	"strconv"
)

// powersOfTen are the powers that a float64 holds exactly.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber reads a floating point number. A plain decimal with at most 18
// digits below 2^53 is a quotient of two exact numbers, so that one division
// rounds it correctly (Clinger 1990); all else is left to strconv.
func parseNumber(text []byte) (float64, error) {
	if len(text) > 19 || len(text) == 0 {
		return strconv.ParseFloat(string(text), 64)
	}
	mantissa, point := uint64(0), -1
	for i, c := range text {
		if digit := c - '0'; digit <= 9 {
			mantissa = mantissa*10 + uint64(digit)
			continue
		}
		if c != '.' || point >= 0 {
			return strconv.ParseFloat(string(text), 64)
		}
		point = i
	}
	if mantissa >= 1<<53 || len(text) == 1 && point == 0 {
		return strconv.ParseFloat(string(text), 64)
	}
	if point < 0 {
		return float64(mantissa), nil
	}
	return float64(mantissa) / powersOfTen[len(text)-1-point], nil
}

// parseCount reads a whole number.
func parseCount(text []byte) (int, error) {
	if len(text) == 0 || len(text) > 9 {
		return strconv.Atoi(string(text))
	}
	n := 0
	for _, c := range text {
		digit := c - '0'
		if digit > 9 {
			return strconv.Atoi(string(text))
		}
		n = n*10 + int(digit)
	}
	return n, nil
}

// isFinite reports whether v is neither infinite nor NaN.
func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
