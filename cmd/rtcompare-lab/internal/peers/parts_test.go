package peers

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/load"
)

// TestPacedServerNeverHurries: no period is shorter than its answers' intervals.
func TestPacedServerNeverHurries(t *testing.T) {
	s := tiny(t)
	const interval = 500 * time.Microsecond
	server, err := startServer(s.Context, "-role", rolePaced, "-interval", interval.String())
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	for _, concurrency := range []int{1, 16} {
		generator, err := load.New(s.Context, load.Target{URLs: []string{server.url()}}, load.Options{Concurrency: concurrency})
		if err != nil {
			t.Fatal(err)
		}
		result, err := generator.Run(s.Context, 0, 200)
		_ = generator.Close()
		if err != nil || result.Counted.Failed > 0 {
			t.Fatalf("error %v, %d failed", err, result.Counted.Failed)
		}
		var report pacedReport
		if err := server.report(&report); err != nil {
			t.Fatal(err)
		}
		if report.Requests < 200 || result.Wall < 180*interval {
			t.Errorf("%d connections: %d requests in %v, which is faster than one in %v", concurrency, report.Requests, result.Wall, interval)
		}
	}
	var empty pacedReport
	if err := server.report(&empty); err != nil || empty != (pacedReport{}) {
		t.Errorf("a second report holds %+v, error %v", empty, err)
	}
}

func TestServersEndWithTheirInput(t *testing.T) {
	s := tiny(t)
	for _, args := range [][]string{{"-role", rolePlain}, {"-role", rolePaced, "-interval", "1ms"}, {"-role", roleDelaying, "-every", "2", "-delay", "1ms"}} {
		server, err := startServer(s.Context, args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := server.in.Close(); err != nil {
			t.Fatal(err)
		}
		if err := server.command.Wait(); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		server.stop()
	}
}

func TestBadChildrenAreErrors(t *testing.T) {
	for _, o := range []ChildOptions{{Role: "nobody"}, {Role: rolePaced}, {Role: roleDelaying}, {Role: roleDelaying, Every: 3}} {
		if err := Child(os.Stdin, os.Stderr, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestReadWrk(t *testing.T) {
	const fine = "Running 2s test\n  1 threads and 64 connections\n  4000 requests in 2.00s, 1.2MB read\nRequests/sec:   2000.50\nTransfer/sec:  1MB\n"
	got, err := readWrk([]byte(fine), 8*time.Millisecond)
	if err != nil || got.perSecond != 2000.5 || got.cpu != 2000 {
		t.Errorf("%+v, error %v", got, err)
	}
	for _, bad := range []string{"", "0 requests in 2s\nRequests/sec: 0.00", fine + "  Non-2xx or 3xx responses: 4000\n", fine + "  Socket errors: connect 64, read 0, write 0, timeout 0\n"} {
		if _, err := readWrk([]byte(bad), time.Second); err == nil {
			t.Errorf("accepted:\n%s", bad)
		}
	}
}

// TestBinomialInterval compares with Clopper and Pearson's exact limits: closed
// forms where nothing or all succeeds, tabulated ones between.
func TestBinomialInterval(t *testing.T) {
	tests := []struct {
		k, n      int
		low, high float64
	}{
		{0, 40, 0, 1 - math.Pow(0.025, 1.0/40)},
		{40, 40, math.Pow(0.025, 1.0/40), 1},
		{5, 10, 0.1870860, 0.8129140},
		{1, 100, 0.0002531, 0.0544594},
	}
	for _, test := range tests {
		low, high := binomialInterval(test.k, test.n, 0.95)
		if math.Abs(low-test.low) > 1e-6 || math.Abs(high-test.high) > 1e-6 {
			t.Errorf("%d of %d: %.7f to %.7f, want %.7f to %.7f", test.k, test.n, low, high, test.low, test.high)
		}
	}
}

func TestNearest(t *testing.T) {
	sorted := make([]time.Duration, 100)
	for i := range sorted {
		sorted[i] = time.Duration(i + 1)
	}
	for percent, want := range map[float64]time.Duration{50: 50, 95: 95, 99: 99, 100: 100, 0.5: 1} {
		if got := nearest(sorted, percent); got != want {
			t.Errorf("p%g is %d, want %d", percent, got, want)
		}
	}
	if got := nearest(nil, 50); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// TestDelayingReport: quantiles, delays and ways from what was noted.
func TestDelayingReport(t *testing.T) {
	d := &delaying{every: 50}
	for i := range 100 {
		one := served{held: 10, cycle: 30}
		if i%50 == 0 {
			one = served{held: time.Duration(5000 + i), cycle: time.Duration(5020 + i), delayed: true}
		}
		d.served = append(d.served, one)
	}
	got := d.report()
	want := delayingReport{Requests: 100, Delayed: 2, HeldFrom: 5000, HeldTo: 5050, Way: 20,
		Held: [3]time.Duration{10, 10, 5000}, Cycle: [3]time.Duration{30, 30, 5020}}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := d.report(); again.Requests != 0 {
		t.Errorf("%d requests are left after a report", again.Requests)
	}
}

func TestBurnerTakesAsLongAsAsked(t *testing.T) {
	b := burner{path: "burn", start: 800_000, step: 2}
	if got := b.argv(time.Millisecond); !slices.Equal(got, []string{"burn", "100000"}) {
		t.Errorf("%v", got)
	}
	if got := b.argv(100 * time.Microsecond); got[1] != "0" {
		t.Errorf("less than the start gives %v", got)
	}
}

func TestHelloIsALine(t *testing.T) {
	var out strings.Builder
	if err := answerReports(strings.NewReader("report\nreport\n"), &out, "127.0.0.1:1", func() any { return plainReport{7} }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var h hello
	if err := json.Unmarshal([]byte(lines[0]), &h); err != nil || h.Address != "127.0.0.1:1" || len(lines) != 3 || lines[2] != `{"requests":7}` {
		t.Errorf("%q, error %v", lines, err)
	}
}
