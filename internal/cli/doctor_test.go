package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/record"
)

// doctorTree is a copy of the files of a machine on battery.
func doctorTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/loadavg": "0.10 0 0 1/1 1", "proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 7000000 kB",
		"sys/class/power_supply/BAT0/type": "Battery", "sys/class/power_supply/BAT0/status": "Discharging",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func runDoctor(t *testing.T, ctx context.Context, f *doctorFlags) (stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	f.root = doctorTree(t)
	a := &App{Stdout: &out, Stderr: &problems}
	if err := a.doctor(ctx, f); err != nil {
		t.Fatal(err)
	}
	return out.String(), problems.String()
}

func TestDoctorText(t *testing.T) {
	stdout, stderr := runDoctor(t, t.Context(), &doctorFlags{})
	for _, want := range []string{"on battery", "governor powersave", "scaling_governor", "$ echo performance | sudo tee"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "identical code") || stderr != "" {
		t.Errorf("--time 0 measured: %s%s", stdout, stderr)
	}
}

func TestDoctorJSON(t *testing.T) {
	stdout, _ := runDoctor(t, t.Context(), &doctorFlags{json: true})
	var found struct {
		Facts  map[string]any `json:"facts"`
		Advice []struct{ Code, Severity, Text, Command string }
		Noise  []any `json:"noise_floor"`
	}
	if err := json.Unmarshal([]byte(stdout), &found); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if found.Facts["governor"] != "powersave" || found.Facts["on_battery"] != "yes" || len(found.Advice) < 2 || len(found.Noise) != 0 {
		t.Errorf("%s", stdout)
	}
}

func TestDoctorMeasures(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for seconds")
	}
	stdout, stderr := runDoctor(t, t.Context(), &doctorFlags{time: shortestDoctor})
	for _, want := range []string{"arithmetic", "memory access", "allocation", "1% takes"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "comparing identical code") {
		t.Errorf("nothing tells why it takes so long: %q", stderr)
	}
}

// An interrupted run shows what it has and does not wait.
func TestDoctorInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start := time.Now()
	stdout, _ := runDoctor(t, ctx, &doctorFlags{time: time.Hour})
	if !strings.Contains(stdout, "on battery") || time.Since(start) > time.Minute {
		t.Errorf("after %v: %s", time.Since(start), stdout)
	}
	for _, n := range measureNoise(ctx, time.Hour) {
		t.Errorf("measured %+v", n)
	}
	if n := kinds()[0].measure(ctx, time.Hour); n.Problem != "interrupted" {
		t.Errorf("%+v", n)
	}
}

func TestDoctorUsage(t *testing.T) {
	for _, arguments := range [][]string{{"doctor", "--time", "1s"}, {"doctor", "extra"}, {"doctor", "--no-such-flag"}, {"doctor", "--time", "soon"}} {
		var out, problems bytes.Buffer
		a := &App{Stdout: &out, Stderr: &problems}
		if code := a.Main(arguments); code != ExitUsage || out.Len() > 0 || problems.Len() == 0 {
			t.Errorf("%v: exit code %d, %q, %q", arguments, code, out.String(), problems.String())
		}
	}
}

func TestTimeNeeded(t *testing.T) {
	report := func(smallest float64, units int) rtcompare.Report {
		var r rtcompare.Report
		r.Decision.SmallestDifference, r.Decision.Units, r.Protocol.Duration = smallest, units, 10*time.Second
		return r
	}
	// Ten seconds and 40 units; the first look is after 5 of them, 1.25 s.
	for _, c := range []struct {
		smallest float64
		units    int
		want     float64
	}{
		{math.Log(1.01), 40, 10}, {2 * math.Log(1.01), 40, 40}, {0.1 * math.Log(1.01), 40, 1.25}, {0, 40, 1.25},
	} {
		got := timeNeeded(report(c.smallest, c.units), 0.01)
		if got == nil || math.Abs(*got-c.want) > 1e-9 {
			t.Errorf("%v after %d units: %v, want %v", c.smallest, c.units, got, c.want)
		}
	}
	for _, r := range []rtcompare.Report{report(math.Inf(1), 9), report(math.NaN(), 9), report(0.1, 0)} {
		if got := timeNeeded(r, 0.01); got != nil {
			t.Errorf("%v from nothing", *got)
		}
	}
}

// A known pair of stretches: the second takes twice and then four times as long
// per operation.
func TestMedianLogRatio(t *testing.T) {
	first := &record.Cell{N: 10, Wall: []int64{100, 100, 100}}
	second := &record.Cell{N: 5, Wall: []int64{100, 200, 100}}
	if got := medianLogRatio(first, second); math.Abs(got-math.Log(2)) > 1e-12 {
		t.Errorf("%v", got)
	}
	if got := medianLogRatio(&record.Cell{}, second); !math.IsNaN(got) {
		t.Errorf("%v from nothing", got)
	}
	if _, err := identicalSizes(rtcompare.Report{}); err == nil {
		t.Error("a report without measurements has sizes")
	}
}

// The kinds of code do what they are named after.
func TestKinds(t *testing.T) {
	for _, k := range kinds() {
		batch := k.new()
		allocations := testing.AllocsPerRun(10, func() { batch(1000) })
		if (allocations >= 900) != (k.name == "allocation") {
			t.Errorf("%s: %v allocations in 1000 operations", k.name, allocations)
		}
	}
}
