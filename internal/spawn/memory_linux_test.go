package spawn

import "testing"

// A mapping of a file is forgotten only if it is closed to writing now and
// nothing was written to it before.
func TestForgettableMappings(t *testing.T) {
	const clean = "Rss: 8 kB\nAnonymous:             0 kB\nSwap:        0 kB\nVmFlags: rd\n"
	for text, want := range map[string]bool{
		"00400000-00560000 r-xp 00000000 fe:00 100  /bin/program\n" + clean:                        true,
		"00560000-006fb000 r--p 00160000 fe:00 100  /bin/with blank\n" + clean:                     true,
		"00560000-006fb000 r--p 00160000 fe:00 100  /x\n":                                          false,
		"00560000-006fb000 r--p 00160000 fe:00 100  /x\nAnonymous: 0 kB\n":                         false,
		"00560000-006fb000 r--p 00160000 fe:00 100  /lib/relocated\nAnonymous: 4 kB\nSwap: 0 kB\n": false,
		"00560000-006fb000 r--p 00160000 fe:00 100  /lib/swapped\nAnonymous: 0 kB\nSwap: 4 kB\n":   false,
		"006fb000-0071f000 rw-p 002fb000 fe:00 100  /bin/program\n" + clean:                        false,
		"0071f000-02757000 r--p 00000000 00:00 0 \n" + clean:                                       false,
		"7f00-7f10 r-xp 00000000 00:00 0  [vdso]\n" + clean:                                        false,
		// What is said of the next one is not said of this one.
		"7f00-7f10 r--p 0 00:00 0  /x\n" + clean + "8f00-8f10 r--p 0 00:00 0  /y\nAnonymous: 4 kB\n": true,
		"7f00-7f10 r--p 0 00:00 0  /x\n" + "8f00-8f10 r--p 0 00:00 0  /y\n" + clean:                  false,
	} {
		all := mappings([]byte(text))
		if len(all) == 0 || all[0].forgettable() != want {
			t.Errorf("%q: %+v", text, all)
		}
	}
	m := mappings([]byte("00560000-006fb000 r--p 00160000 fe:00 100  /x\n"))[0]
	if m.begin != 0x560000 || m.size != 0x19b000 {
		t.Errorf("%+v", m)
	}
	for _, damaged := range []string{"", "x", "1-2 r-xp", "7f10-7f00 r--p 0 00:00 0  /x\n" + clean, "zz-7f00 r--p 0 00:00 0  /x\n" + clean} {
		if all := mappings([]byte(damaged)); len(all) > 0 {
			t.Errorf("%q: %+v", damaged, all)
		}
	}
}
