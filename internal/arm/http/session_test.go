package httparm

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

func open(t *testing.T, spec Spec) engine.Session {
	t.Helper()
	a, err := New(testContext(t), spec)
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Open(testContext(t), engine.Slot{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func do(t *testing.T, s engine.Session, request engine.Request) engine.Sample {
	t.Helper()
	sample := engine.Sample{CPU: -1, Bytes: -1, Allocs: -1, Collections: -1, Preempted: -1}
	if err := s.Do(testContext(t), request, &sample); err != nil {
		t.Fatal(err)
	}
	if sample.Wall <= 0 {
		t.Fatalf("a visit of %d ns", sample.Wall)
	}
	return sample
}

func extra(sample engine.Sample, name string) float64 {
	for _, e := range sample.Extra {
		if e.Metric == name {
			return e.Value
		}
	}
	return math.Inf(-1)
}

func TestLeadOfAVisit(t *testing.T) {
	tests := map[string]struct {
		options load.Options
		request engine.Request
		want    int64 // requests that reach the server, at least
		most    int64
	}{
		"closed":      {options: load.Options{Concurrency: 8}, request: engine.Request{N: 100}, want: 108, most: 115},
		"longer lead": {options: load.Options{Concurrency: 8}, request: engine.Request{N: 100, Lead: 50}, want: 150, most: 157},
		"batches":     {options: load.Options{Concurrency: 1}, request: engine.Request{N: 100, Batches: 3}, want: 301, most: 301},
		"whole":       {options: load.Options{Concurrency: 8, Whole: true}, request: engine.Request{N: 100}, want: 100, most: 100},
		"warm whole":  {options: load.Options{Concurrency: 8, Whole: true}, request: engine.Request{N: 100, Lead: 10}, want: 110, most: 110},
		"rate":        {options: load.Options{Concurrency: 8, Rate: 2000}, request: engine.Request{N: 90}, want: 100, most: 100},
	}
	for name, test := range tests {
		var asked atomic.Int64
		server := newServer(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
		s := open(t, Spec{Target: load.Target{URLs: []string{server.URL}}, Options: test.options})
		do(t, s, test.request)
		if got := asked.Load(); got < test.want || got > test.most {
			t.Errorf("%s: %d requests, want %d to %d", name, got, test.want, test.most)
		}
	}
}

func TestUnitOfTwoServers(t *testing.T) {
	handler := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, "hello")
		}
	}
	var arms []engine.Arm
	for _, status := range []int{200, 201} {
		a, err := New(testContext(t), Spec{Target: load.Target{URLs: []string{newServer(t, handler(status)).URL}}, Options: load.Options{Concurrency: 4}})
		if err != nil {
			t.Fatal(err)
		}
		arms = append(arms, a)
	}
	loop, err := engine.Open(testContext(t), arms, order.Nested(2), engine.Slot{}, false, order.New(order.ABBA, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer loop.Close()
	for range 2 { // the second unit must not hold anything of the first
		unit, err := loop.Measure(testContext(t), engine.Request{N: 100}, 6, record.Main)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range unit.Cells {
			checkCell(t, cell)
		}
		if busy := Bottleneck(unit.Cells...); !(busy > 0 && busy < 1.5) && runtime.GOOS == "linux" {
			t.Errorf("the generator was busy for %v of its time", busy)
		}
	}
}

// checkCell looks at a cell of six visits of 100 requests.
func checkCell(t *testing.T, cell record.Cell) {
	t.Helper()
	status := map[int]string{0: "status 200", 1: "status 201"}[cell.Arm]
	if len(cell.Counts) != 1 || cell.Counts[status] != 600 {
		t.Errorf("counts %v, want 600 times %s", cell.Counts, status)
	}
	for _, metric := range Metrics(Spec{}) {
		want := 6
		if metric.PerUnit {
			want = 1
		}
		if got := len(cell.Extra[metric.Name]); got != want {
			t.Errorf("%d values of %s, want %d", got, metric.Name, want)
		}
	}
	if len(cell.Extra) != len(Metrics(Spec{})) {
		t.Errorf("%d metrics, described are %d", len(cell.Extra), len(Metrics(Spec{})))
	}
	latencies, err := hdrhistogram.Decode([]byte(cell.Latency))
	if err != nil {
		t.Fatalf("latencies %q: %v", cell.Latency, err)
	}
	if latencies.TotalCount() != 600 || float64(latencies.ValueAtQuantile(99)) != cell.Extra["p99"][0] {
		t.Errorf("%d latencies with p99 %d, want 600 with %v", latencies.TotalCount(), latencies.ValueAtQuantile(99), cell.Extra["p99"][0])
	}
	if cell.CPU != nil {
		t.Errorf("processor time %v of a server in this process", cell.CPU)
	}
}

func TestRateMetrics(t *testing.T) {
	spec := Spec{
		Target:  load.Target{URLs: []string{newServer(t, func(http.ResponseWriter, *http.Request) {}).URL}},
		Options: load.Options{Concurrency: 4, Rate: 2000},
	}
	s := open(t, spec)
	sample := do(t, s, engine.Request{N: 90})
	cell := record.Cell{Wall: []int64{sample.Wall}}
	if err := s.(engine.Reporter).Report(&cell); err != nil {
		t.Fatal(err)
	}
	for _, metric := range Metrics(spec) {
		value := extra(sample, metric.Name)
		if metric.PerUnit {
			value = append(cell.Extra[metric.Name], math.Inf(-1))[0]
		}
		if math.IsInf(value, 0) {
			t.Errorf("%s is described and missing", metric.Name)
		}
	}
	if cell.Extra["p50"][0] < cell.Extra["service-p50"][0] {
		t.Errorf("a median of %v from the planned time, of %v from the sending", cell.Extra["p50"], cell.Extra["service-p50"])
	}
}

func TestFailedRequestsAreAnError(t *testing.T) {
	var asked atomic.Int64
	server := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1)%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	spec := Spec{Name: "new", Target: load.Target{URLs: []string{server.URL + "/a"}}}
	err := open(t, spec).Do(testContext(t), engine.Request{N: 99, Lead: 1}, &engine.Sample{})
	want := "new: " + server.URL + `/a: 25 of 100 requests failed
       75 × status 200
       25 × status 503
       25 × unexpected status 503
  the first: GET ` + server.URL + `/a: unexpected status 503
  correct the address, or say which status is expected, or ignore failures to count them and go on`
	var failure *Failure
	if !errors.As(err, &failure) || err.Error() != want {
		t.Errorf("error:\n%v\nwant:\n%s", err, want)
	}
	spec.IgnoreFailure = true
	s := open(t, spec)
	sample := do(t, s, engine.Request{N: 100})
	if got := extra(sample, Failed); got != 25 {
		t.Errorf("%v failed, want 25", got)
	}
	var cell record.Cell
	if err := s.(engine.Reporter).Report(&cell); err != nil {
		t.Fatal(err)
	}
	if cell.Counts["status 503"] != 25 || cell.Counts["error unexpected status 503"] != 25 || cell.Counts["status 200"] != 75 {
		t.Errorf("counts %v", cell.Counts)
	}
}

func TestFailureNamesFiveErrors(t *testing.T) {
	tally := load.Tally{Requests: 100, Failed: 21, Errors: map[string]int64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}}
	text := (&Failure{Arm: "x", URLs: []string{"http://one", "http://two"}, Tally: tally}).Error()
	for _, want := range []string{"http://one and 1 more", "6 × f", "2 × b", "and 1 more kinds"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "1 × a\n") || strings.Index(text, "× f") > strings.Index(text, "× b") {
		t.Errorf("not the most frequent errors, in order:\n%s", text)
	}
}

func TestServerIsGone(t *testing.T) {
	s := open(t, Spec{Target: load.Target{URLs: []string{"http://127.0.0.1:1"}}, IgnoreFailure: true})
	do(t, s, engine.Request{N: 10})
	var cell record.Cell
	if err := s.(engine.Reporter).Report(&cell); err != nil {
		t.Fatal(err)
	}
	if cell.Counts["error connection refused"] != 10 || cell.Latency != "" || !math.IsNaN(cell.Extra["p99"][0]) {
		t.Errorf("counts %v, latencies %q, p99 %v", cell.Counts, cell.Latency, cell.Extra["p99"])
	}
}

func TestStoppedVisit(t *testing.T) {
	release := make(chan struct{})
	server := newServer(t, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	s := open(t, Spec{Target: load.Target{URLs: []string{server.URL}}})
	ctx, cancel := context.WithCancel(testContext(t))
	time.AfterFunc(20*time.Millisecond, cancel)
	err := s.Do(ctx, engine.Request{N: 10}, &engine.Sample{})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("error %v, want that of a stopped run", err)
	}
}

func TestCertificateFiles(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	directory := t.TempDir()
	authority := filepath.Join(directory, "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	target := load.Target{URLs: []string{server.URL}, Expect: []int{404}}
	do(t, open(t, Spec{Target: target, CAFile: authority}), engine.Request{N: 10})

	empty := filepath.Join(directory, "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []Spec{
		{Target: target, CAFile: filepath.Join(directory, "none")},
		{Target: target, CAFile: empty},
		{Target: target, CertificateFile: authority},
		{Target: target, CertificateFile: authority, KeyFile: empty},
		{},
	} {
		spec.Name = "left"
		if _, err := New(testContext(t), spec); err == nil || !strings.HasPrefix(err.Error(), "left: ") {
			t.Errorf("error %v, want one that names the arm", err)
		}
	}
}

func TestBottleneckOfNothing(t *testing.T) {
	if busy := Bottleneck(); !math.IsNaN(busy) {
		t.Errorf("no cells, and the generator was busy for %v", busy)
	}
	cell := func(busy float64) record.Cell {
		return record.Cell{Extra: map[string]record.Values{ClientBusy: {busy}}}
	}
	if busy := Bottleneck(cell(0.2), cell(math.NaN()), cell(0.95), cell(0.3)); busy != 0.95 {
		t.Errorf("busy for %v, want 0.95", busy)
	}
}

func TestMetricNamesAreUnique(t *testing.T) {
	var names []string
	for _, metric := range Metrics(Spec{Options: load.Options{Rate: 1}}) {
		if slices.Contains(names, metric.Name) {
			t.Errorf("%s twice", metric.Name)
		}
		names = append(names, metric.Name)
	}
}
