package httparm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare/internal/load"
)

// Failure is the error of a visit in which requests failed.
type Failure struct {
	// Arm is the arm's name, URLs what it asks.
	Arm  string
	URLs []string
	// Tally counts all requests of the visit, those of the lead too.
	Tally load.Tally
}

// mostErrors kinds of errors are named.
const mostErrors = 5

func (f *Failure) Error() string {
	var out strings.Builder
	if f.Arm != "" && !slices.Contains(f.URLs, f.Arm) {
		fmt.Fprintf(&out, "%s: ", f.Arm)
	}
	fmt.Fprintf(&out, "%s: %d of %d requests failed", f.where(), f.Tally.Failed, f.Tally.Requests)
	for _, status := range slices.Sorted(maps.Keys(f.Tally.Statuses)) {
		fmt.Fprintf(&out, "\n  %7d × status %d", f.Tally.Statuses[status], status)
	}
	labels := slices.SortedFunc(maps.Keys(f.Tally.Errors), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Tally.Errors[b], f.Tally.Errors[a]), strings.Compare(a, b))
	})
	for _, label := range labels[:min(mostErrors, len(labels))] {
		fmt.Fprintf(&out, "\n  %7d × %s", f.Tally.Errors[label], label)
	}
	if more := len(labels) - mostErrors; more > 0 {
		fmt.Fprintf(&out, "\n  and %d more kinds of errors", more)
	}
	if len(f.Tally.Examples) > 0 {
		fmt.Fprintf(&out, "\n  the first: %s", f.Tally.Examples[0])
	}
	fmt.Fprintf(&out, "\n  %s", f.remedy())
	return out.String()
}

func (f *Failure) where() string {
	if len(f.URLs) > 1 {
		return fmt.Sprintf("%s and %d more", f.URLs[0], len(f.URLs)-1)
	}
	return strings.Join(f.URLs, "")
}

// remedy says what to do about it.
func (f *Failure) remedy() string {
	const otherwise = ", or ignore failures to count them and go on"
	switch {
	case f.Tally.Errors["connection refused"] > 0:
		return "start the server, or correct its address" + otherwise
	case f.Tally.Errors["timeout"] > 0, f.Tally.Errors["connect timeout"] > 0:
		return "use fewer connections or a longer timeout" + otherwise
	case f.Tally.Errors["certificate not accepted"] > 0:
		return "name the file of the authority that signed the certificate" + otherwise
	}
	for label := range f.Tally.Errors {
		if strings.HasPrefix(label, "unexpected status") {
			return "correct the address, or say which status is expected" + otherwise
		}
	}
	return "look at the server's log" + otherwise
}
