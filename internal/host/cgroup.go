package host

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// cgroupDirs returns the directories, relative to the root, of every control
// group that limits this process's CPU time: its own first, then its ancestors.
// unified holds those of version 2 and legacy those of version 1. A container
// often sees only the tail of its path, so that some of the directories do not
// exist; reading them gives nothing, which is what is wanted.
func cgroupDirs(membership string) (unified, legacy []string) {
	for line := range strings.Lines(membership) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		controllers, group := parts[1], parts[2]
		if controllers == "" {
			unified = append(unified, ancestors("sys/fs/cgroup", group)...)
			continue
		}
		if slices.Contains(strings.Split(controllers, ","), "cpu") {
			// Mounted under the full list, with "cpu" usually a link to it.
			legacy = append(legacy, ancestors("sys/fs/cgroup/cpu", group)...)
			if controllers != "cpu" {
				legacy = append(legacy, ancestors("sys/fs/cgroup/"+controllers, group)...)
			}
		}
	}
	return unified, legacy
}

// ancestors lists mount/group and every directory above it down to mount.
func ancestors(mount, group string) []string {
	var dirs []string
	for group = path.Clean("/" + group); group != "/"; group = path.Dir(group) {
		dirs = append(dirs, mount+group)
	}
	return append(dirs, mount)
}

// cpuQuota returns the tightest limit that holds for this process, in CPUs.
func (fs FS) cpuQuota() float64 {
	quota, _ := fs.tightestQuota()
	return quota
}

// tightestQuota also returns the file that sets the limit, relative to the root.
func (fs FS) tightestQuota() (tightest float64, file string) {
	unified, legacy := cgroupDirs(fs.text("proc/self/cgroup"))
	consider := func(quota float64, name string) {
		if quota > 0 && (tightest == 0 || quota < tightest) {
			tightest, file = quota, name
		}
	}
	for _, dir := range unified {
		consider(parseCPUMax(fs.text(dir+"/cpu.max")), dir+"/cpu.max")
	}
	for _, dir := range legacy {
		quota, ok := fs.number(dir + "/cpu.cfs_quota_us")
		period, found := fs.number(dir + "/cpu.cfs_period_us")
		if ok && found && quota > 0 && period > 0 {
			consider(float64(quota)/float64(period), dir+"/cpu.cfs_quota_us")
		}
	}
	return tightest, file
}

// parseCPUMax reads "quota period" in microseconds, or "max period" for no
// limit, and returns CPUs, or 0 for no limit.
func parseCPUMax(text string) float64 {
	words := strings.Fields(text)
	if len(words) != 2 {
		return 0
	}
	quota, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return 0 // "max"
	}
	period, err := strconv.ParseFloat(words[1], 64)
	if err != nil || !(quota > 0) || !(period > 0) {
		return 0
	}
	return quota / period
}

// throttled returns how often this process's control groups used up their CPU
// time and were stopped until the next period, in the group where that happened
// most. Groups inside each other are stopped together, so that a sum would count
// one stop several times.
func (fs FS) throttled() uint64 {
	unified, legacy := cgroupDirs(fs.text("proc/self/cgroup"))
	var most uint64
	for _, dir := range append(unified, legacy...) {
		if count, ok := counter(fs.text(dir+"/cpu.stat"), "nr_throttled"); ok {
			most = max(most, count)
		}
	}
	return most
}

// container looks for the marks that container runtimes leave.
func (fs FS) container() string {
	switch {
	case fs.exists("run/.containerenv"):
		return "podman"
	case fs.exists(".dockerenv"):
		return "docker"
	}
	if name := fs.text("run/systemd/container"); name != "" {
		return name
	}
	membership := fs.text("proc/self/cgroup")
	for _, mark := range []struct{ in, name string }{
		{"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"containerd", "containerd"}, {"/lxc", "lxc"},
	} {
		if strings.Contains(membership, mark.in) {
			return mark.name
		}
	}
	return ""
}
