package extract

import (
	"fmt"
	"strings"
)

// Parse reads a metric as it is written on a command line:
//
//	NAME=regexp:PATTERN[,unit=UNIT][,better=lower|higher]
//	NAME=json:PATH[,unit=UNIT][,better=lower|higher]
//
// The options are taken from the end; a pattern that itself ends like one is
// written with [,] in place of its comma.
func Parse(text string) (Metric, error) {
	name, source, ok := strings.Cut(text, "=")
	if !ok {
		return Metric{}, fmt.Errorf("metric %q: write NAME=regexp:PATTERN or NAME=json:PATH", text)
	}
	source, unit, better, err := options(source)
	if err != nil {
		return Metric{}, fmt.Errorf("metric %q: %w", name, err)
	}
	var m Metric
	switch kind, rest, _ := strings.Cut(source, ":"); kind {
	case "regexp":
		m, err = Regexp(name, rest)
	case "json":
		m, err = JSON(name, rest)
	default:
		return Metric{}, fmt.Errorf("metric %q: %q: write regexp:PATTERN or json:PATH", name, source)
	}
	if err != nil {
		return Metric{}, err
	}
	return m.In(unit).Judged(better)
}

// options takes the options off the end of a source.
func options(text string) (source, unit, better string, err error) {
	given := map[string]string{}
	for {
		comma := strings.LastIndexByte(text, ',')
		if comma < 0 {
			break
		}
		key, value, ok := strings.Cut(text[comma+1:], "=")
		if !ok || key != "unit" && key != "better" {
			break
		}
		if _, twice := given[key]; twice {
			return "", "", "", fmt.Errorf("%s= is given twice", key)
		}
		if value == "" {
			return "", "", "", fmt.Errorf("%s= is empty", key)
		}
		given[key] = value
		text = text[:comma]
	}
	return text, given["unit"], given["better"], nil
}

// ParseAll reads several metrics. Two of one name are an error.
func ParseAll(texts []string) ([]Metric, error) {
	metrics := make([]Metric, 0, len(texts))
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		m, err := Parse(text)
		if err != nil {
			return nil, err
		}
		if seen[m.Name] {
			return nil, fmt.Errorf("metric %q is given twice", m.Name)
		}
		seen[m.Name] = true
		metrics = append(metrics, m)
	}
	return metrics, nil
}

// String writes the metric as [Parse] reads it.
func (m Metric) String() string {
	text := m.Name + "=" + m.From
	if m.Unit != "" {
		text += ",unit=" + m.Unit
	}
	if m.Better != "" {
		text += ",better=" + m.Better
	}
	return text
}
