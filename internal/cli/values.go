package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// share is a flag that takes "1%" or 0.01.
type share struct{ value *float64 }

// Set implements the flag's reading.
func (s share) Set(text string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%q is no share; write 1%% or 0.01", text)
	}
	if percent {
		v /= 100
	} else if v >= 1 {
		return fmt.Errorf("%s could mean %s%% or %v times; write %s%% or %v", text, text, v, text, v/100)
	}
	if v < 0 {
		return fmt.Errorf("%s is negative", text)
	}
	*s.value = v
	return nil
}

// String implements the flag's printing.
func (s share) String() string {
	if s.value == nil || *s.value == 0 {
		return ""
	}
	return strconv.FormatFloat(math.Round(*s.value*1e8)/1e6, 'f', -1, 64) + "%"
}

// Type names the flag's value in the help.
func (s share) Type() string { return "share" }

// span is a flag that takes a time such as 10s, 2m or a number of seconds.
type span struct{ value *time.Duration }

// Set implements the flag's reading.
func (s span) Set(text string) error {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds >= 0) || seconds > 1e9 {
			return fmt.Errorf("%q is no length of time; write 10s, 2m or a number of seconds", text)
		}
		*s.value = time.Duration(seconds * float64(time.Second))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no length of time; write 10s, 2m or a number of seconds", text)
	}
	*s.value = d
	return nil
}

// String implements the flag's printing.
func (s span) String() string {
	if s.value == nil || *s.value == 0 {
		return ""
	}
	return s.value.String()
}

// Type names the flag's value in the help.
func (s span) Type() string { return "time" }

// positive is a length of time that cannot be nothing.
type positive struct{ span }

// Set implements the flag's reading.
func (p positive) Set(text string) error {
	before := *p.value
	if err := p.span.Set(text); err != nil {
		return err
	}
	if *p.value == 0 {
		*p.value = before
		return fmt.Errorf("%s is no time at all", text)
	}
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

// Set implements the flag's reading.
func (c choice) Set(text string) error {
	for _, word := range c.words {
		if word == text {
			*c.value = text
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(c.words, ", "))
}

// String implements the flag's printing.
func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Type names the flag's value in the help.
func (c choice) Type() string { return "word" }
