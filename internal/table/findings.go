package table

import (
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// Findings is what the arrangement of the results shows, before any number is
// compared.
type Findings struct {
	// UnknownKeys are keys of the query that no result has.
	UnknownKeys []UnknownKey
	// UntrustedUnits are declarations of only some inputs, which were not followed.
	UntrustedUnits []benchtext.UnitLine
	// Splits are keys whose values differ between columns, so that rows of the same
	// name stand in different tables and are not compared.
	Splits []Split
	// Processors counts rows of one column that would have a partner if the number
	// of processors at the end of their names ("-8") were left out.
	Processors int
	// OneSided counts the rows that lack a column of their table.
	OneSided int
	// Collection says how the results were collected.
	Collection Collection
}

// Split is a key that keeps columns apart.
type Split struct {
	Key string
	// Values are what the tables have, in their order; at most ten.
	Values []string
}

// findings looks at a finished set.
func findings(s *Set) Findings {
	f := Findings{Splits: splits(s), Collection: collectionOf(s)}
	for _, t := range s.Tables {
		partners := map[string]bool{}
		for _, r := range t.Rows {
			if !r.OneSided() {
				continue
			}
			f.OneSided++
			if name := withoutProcessors(r.Label); name != r.Label {
				if partners[name] {
					f.Processors++
				}
				partners[name] = true
			}
		}
	}
	return f
}

// withoutProcessors cuts "-8" off a name.
func withoutProcessors(name string) string {
	cut := strings.TrimRight(name, "0123456789")
	if len(cut) < len(name) && strings.HasSuffix(cut, "-") {
		return cut[:len(cut)-1]
	}
	return name
}

// splits finds the keys by which rows of the same name and unit are kept in
// tables that have no column in common.
func splits(s *Set) []Split {
	type place struct{ unit, row string }
	first := map[place]*Table{}
	values := map[string][]string{}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			at := place{t.Unit.Name, r.Label}
			other, ok := first[at]
			if !ok {
				first[at] = t
				continue
			}
			if other == t || shareColumn(other, t) {
				continue
			}
			for i, setting := range t.Settings {
				if was := other.Settings[i].Value; was != setting.Value {
					values[setting.Key] = appendNew(appendNew(values[setting.Key], was), setting.Value)
				}
			}
		}
	}
	var list []Split
	for _, setting := range s.Tables[0].Settings {
		if v := values[setting.Key]; len(v) > 0 {
			list = append(list, Split{Key: setting.Key, Values: v})
		}
	}
	return list
}

func shareColumn(a, b *Table) bool {
	for _, c := range a.Columns {
		for _, d := range b.Columns {
			if slices.Equal(c.Values, d.Values) {
				return true
			}
		}
	}
	return false
}

// appendNew appends a value that is not there yet, up to ten.
func appendNew(list []string, value string) []string {
	if len(list) >= 10 || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}
