package table

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchproc"
)

// keyOrder is the order of the keys of a projection, as today's benchproc has it.
// Older versions of that package, which this program is built with, take "10ms"
// for a number; today's does not.
type keyOrder struct {
	projection *benchproc.Projection
	named      map[string]string         // field to "alpha", "num" or "fixed"
	ranks      map[string]map[string]int // of values: as given where fixed, else as first seen
}

// newKeyOrder reads the orders of a projection. What is not correct has been
// refused before.
func newKeyOrder(p *benchproc.Projection, text string) *keyOrder {
	o := &keyOrder{projection: p, named: map[string]string{}, ranks: map[string]map[string]int{}}
	list := tokens(text)
	for i := 0; i < len(list); i++ {
		key := list[i]
		if !key.word || i+2 >= len(list) || list[i+1] != (token{"@", false}) {
			continue
		}
		i += 2
		if list[i].word {
			o.named[key.text] = list[i].text
			continue
		}
		o.named[key.text], o.ranks[key.text] = "fixed", map[string]int{}
		for i++; i < len(list) && list[i].word; i++ {
			// The last place of a value that is listed twice counts.
			o.ranks[key.text][list[i].text] = i
		}
	}
	return o
}

// see notes the values of a key in the order in which keys come. Values inside
// ".config" are not noted: they are in alphabetical order.
func (o *keyOrder) see(key benchproc.Key) {
	for _, f := range o.projection.Fields() {
		if f.IsTuple || o.named[f.Name] != "" && o.named[f.Name] != "first" {
			continue
		}
		if o.ranks[f.Name] == nil {
			o.ranks[f.Name] = map[string]int{}
		}
		ranks, value := o.ranks[f.Name], key.Get(f)
		if _, ok := ranks[value]; !ok {
			ranks[value] = len(ranks)
		}
	}
}

// sort orders keys. Values that their order does not tell apart are in
// alphabetical order.
func (o *keyOrder) sort(keys []benchproc.Key) {
	fields := o.projection.FlattenedFields()
	top := map[*benchproc.Field]bool{}
	group := ""
	for _, f := range o.projection.Fields() {
		top[f] = true
		if f.IsTuple {
			group = f.Name
		}
	}
	compare := make([]func(a, b string) int, len(fields))
	for i, f := range fields {
		name := f.Name
		if !top[f] {
			name = group
		}
		compare[i] = o.comparison(name, top[f])
	}
	slices.SortFunc(keys, func(a, b benchproc.Key) int {
		for i, f := range fields {
			x, y := a.Get(f), b.Get(f)
			if x == y {
				continue
			}
			if c := compare[i](x, y); c != 0 {
				return c
			}
			return strings.Compare(x, y)
		}
		return 0
	})
}

func (o *keyOrder) comparison(name string, ranked bool) func(a, b string) int {
	switch o.named[name] {
	case "alpha":
		return strings.Compare
	case "num":
		return compareNumbers
	}
	ranks := o.ranks[name]
	if !ranked {
		ranks = nil
	}
	return func(a, b string) int { return ranks[a] - ranks[b] }
}

// numberWithUnit is a number with a prefix of size, such as 64Ki or 1.5kB.
var numberWithUnit = regexp.MustCompile(`^([+-]?[0-9.]+)([kKMGTPEZY]i?)?[bB]?$`)

// readNumber reads a number with or without a prefix of size.
func readNumber(text string) (value float64, ok bool) {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value, true
	}
	parts := numberWithUnit.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	value, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return 0, false
	}
	if prefix := parts[2]; prefix != "" {
		base := 1000.0
		if strings.HasSuffix(prefix, "i") {
			base = 1024
		}
		value *= math.Pow(base, float64(1+strings.Index("KMGTPEZY", strings.ToUpper(prefix[:1]))))
	}
	return value, true
}

// compareNumbers puts numbers in order, before NaN, before texts.
func compareNumbers(a, b string) int {
	x, isX := readNumber(a)
	y, isY := readNumber(b)
	switch {
	case isX && isY && math.IsNaN(x) != math.IsNaN(y):
		if math.IsNaN(x) {
			return 1
		}
		return -1
	case isX && isY && !math.IsNaN(x):
		return cmp.Compare(x, y)
	case isX != isY && isX:
		return -1
	case isX != isY:
		return 1
	}
	return 0
}
