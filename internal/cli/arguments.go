package cli

import "fmt"

// severalValues are hyperfine's flags that take more than one value, with the
// number of values.
var severalValues = map[string]int{"-P": 3, "--parameter-scan": 3, "-L": 2, "--parameter-list": 2}

// separator stands between the values of such a flag once they are one word. A
// command line cannot hold it.
const separator = "\x00"

// joinValues makes one word of a flag and its several values, as the reader of
// flags wants it. Words behind "--" are left alone.
func joinValues(arguments []string) ([]string, error) {
	var joined []string
	for i := 0; i < len(arguments); i++ {
		word := arguments[i]
		if word == "--" {
			return append(joined, arguments[i:]...), nil
		}
		count, several := severalValues[word]
		if !several {
			joined = append(joined, word)
			continue
		}
		if len(arguments)-i-1 < count {
			return nil, usageHint(severalHint(word), "%s needs %d values", word, count)
		}
		value := word
		if len(word) == 2 {
			value = map[string]string{"-P": "--parameter-scan", "-L": "--parameter-list"}[word]
		}
		value += "="
		for k := range count {
			if k > 0 {
				value += separator
			}
			value += arguments[i+1+k]
		}
		joined = append(joined, value)
		i += count
	}
	return joined, nil
}

func severalHint(word string) string {
	if severalValues[word] == 3 {
		return fmt.Sprintf("write %s NAME MINIMUM MAXIMUM", word)
	}
	return fmt.Sprintf("write %s NAME VALUE,VALUE,…", word)
}
