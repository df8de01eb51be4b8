package perfctr

import (
	"strings"
	"syscall"
	"testing"
)

func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name                  string
		kernel                *fake
		counted               int
		hardware, multiplexed bool
		why                   string
	}{
		{"a whole machine", &fake{counts: every(), enabled: 10, running: 10}, 12, true, false, ""},
		{"turns", &fake{counts: every(), enabled: 10, running: 5}, 12, true, true, ""},
		{"counters that stay at zero", &fake{enabled: 10, running: 10}, 7, true, false, "stays at zero"},
		{"counters that never run", &fake{counts: every(), enabled: 10}, 0, false, false, "never ran"},
		{"none", &fake{refuse: func(Request) error { return syscall.ENOENT }}, 0, false, false, "count"},
		{"cannot be read", &fake{failRead: syscall.EIO}, 0, false, false, "reading the counters"},
	} {
		a := Probe(c.kernel)
		if len(a.Counted) != c.counted || len(a.Counted)+len(a.Missing) != len(Events()) {
			t.Errorf("%s: %d counted, %d missing", c.name, len(a.Counted), len(a.Missing))
		}
		if a.Hardware() != c.hardware || a.Multiplexed != c.multiplexed {
			t.Errorf("%s: hardware %v, multiplexed %v", c.name, a.Hardware(), a.Multiplexed)
		}
		for _, v := range a.Missing {
			if !strings.Contains(v.Missing, c.why) || v.Missing == "" {
				t.Errorf("%s: %s: %q", c.name, v.Event.Name, v.Missing)
			}
		}
		if len(c.kernel.open) > 0 {
			t.Errorf("%s: left open: %v", c.name, c.kernel.open)
		}
	}
}
