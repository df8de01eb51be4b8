package view

import "fmt"

// The codes of checks that were left out because they would have taken too long
// beside the comparison itself.
const (
	CodeCachesLeftOut    = "caches-left-out"
	CodeCollectorLeftOut = "collector-left-out"
)

// leftOut says which check is missing, what for, and why.
func leftOut(code string, batchSeconds float64) string {
	what, share := "of the caches", "a tenth"
	if code == CodeCollectorLeftOut {
		what, share = "of what garbage collections add", "a quarter"
	}
	return fmt.Sprintf("a batch takes %s, so the check %s was left out: it would have taken more than %s of the comparison's own time", Nanoseconds(batchSeconds*1e9), what, share)
}
