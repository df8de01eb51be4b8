package gobuild

import (
	"runtime"
	"strings"
	"testing"
)

// Where the pausing driver is known to work it has to: other tests skip without
// it, and would all be silent if an insertion no longer found its place.
func TestPausingWorksWhereItIsKnownTo(t *testing.T) {
	b := builder(t)
	known := false
	for _, minor := range []string{"go1.24", "go1.25", "go1.26"} {
		known = known || b.Toolchain.Version == minor || strings.HasPrefix(b.Toolchain.Version, minor+".")
	}
	if !known || runtime.GOOS != "linux" {
		t.Skipf("nothing is promised for %s on %s", b.Toolchain.Version, runtime.GOOS)
	}
	if driver, reason, err := b.Driver(t.Context()); err != nil || driver != Pausing {
		t.Errorf("%s: %v, %q, %v", b.Toolchain.Version, driver, reason, err)
	}
}
