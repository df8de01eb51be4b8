package host

import (
	"slices"
	"testing"
)

func TestCgroupDirs(t *testing.T) {
	for _, c := range []struct {
		name, membership string
		unified, legacy  []string
	}{
		{"none", "", nil, nil},
		{"version 2", "0::/a/b", []string{"sys/fs/cgroup/a/b", "sys/fs/cgroup/a", "sys/fs/cgroup"}, nil},
		{"version 2 inside a namespace", "0::/\n", []string{"sys/fs/cgroup"}, nil},
		{"outside the namespace", "0::/../x", []string{"sys/fs/cgroup/x", "sys/fs/cgroup"}, nil},
		{"version 1", "3:memory:/m\n2:cpu:/a", nil, []string{"sys/fs/cgroup/cpu/a", "sys/fs/cgroup/cpu"}},
		{
			"version 1, joint mount", "2:cpu,cpuacct:/", nil,
			[]string{"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"},
		},
		{"a colon in the path", "0::/a:b", []string{"sys/fs/cgroup/a:b", "sys/fs/cgroup"}, nil},
		{"torn", "0:\nx", nil, nil},
		{"cpuset is not cpu", "2:cpuset:/a", nil, nil},
	} {
		unified, legacy := cgroupDirs(c.membership)
		if !slices.Equal(unified, c.unified) || !slices.Equal(legacy, c.legacy) {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, unified, legacy, c.unified, c.legacy)
		}
	}
}

func TestParseCPUMax(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0, "max 100000": 0, "200000 100000": 2, "50000 100000": 0.5,
		"200000": 0, "200000 0": 0, "-1 100000": 0, "NaN 100000": 0, "1 NaN": 0, "x y": 0,
	} {
		if got := parseCPUMax(text); got != want {
			t.Errorf("parseCPUMax(%q) = %v, want %v", text, got, want)
		}
	}
}
