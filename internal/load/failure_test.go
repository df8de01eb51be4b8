package load

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestFailures(t *testing.T) {
	tests := map[string]struct {
		answer    string
		thenClose bool
		label     string
		status    int
	}{
		"status":           {answer: "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", label: "unexpected status 503", status: 503},
		"redirect":         {answer: "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", label: "unexpected status 302", status: 302},
		"truncated body":   {answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", thenClose: true, label: "truncated body"},
		"truncated chunk":  {answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", thenClose: true, label: "truncated body"},
		"truncated header": {answer: "HTTP/1.1 200 OK\r\nContent-", thenClose: true, label: "truncated header"},
		"nothing":          {answer: "", label: "no answer"},
		"not HTTP":         {answer: "SSH-2.0-OpenSSH\r\n", thenClose: true, label: "malformed answer"},
	}
	everyDriver(t, func(t *testing.T, options Options) {
		for name, test := range tests {
			server := newRawServer(t, func(int, int) (string, bool) { return test.answer, test.thenClose })
			g := newGenerator(t, Target{URLs: []string{server.url() + "x"}}, options)
			result := run1(t, g, 0, 20)
			if want := map[string]int64{test.label: 20}; !maps.Equal(result.Counted.Errors, want) || result.Counted.Failed != 20 {
				t.Errorf("%s: errors %v, want %v", name, result.Counted.Errors, want)
			}
			if got := result.Counted.Statuses[test.status]; test.status != 0 && got != 20 {
				t.Errorf("%s: status %d seen %d times, want 20", name, test.status, got)
			}
			examples := result.Counted.Examples
			if len(examples) != 5 || !strings.HasPrefix(examples[0], "GET "+server.url()+"x: "+test.label) {
				t.Errorf("%s: examples %q, want 5 of them", name, examples)
			}
			if result.Retries != 0 || server.asked.Load() != 20 {
				t.Errorf("%s: %d retries, %d requests seen, want 0 and 20", name, result.Retries, server.asked.Load())
			}
		}
	})
}

func TestExpectedStatuses(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newCountingServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
		g := newGenerator(t, Target{URLs: []string{server.URL}, Expect: []int{200, 404}}, options)
		mustRun(t, g, 1, 10)
		g = newGenerator(t, Target{URLs: []string{server.URL}, Expect: []int{200}}, options)
		if result := run1(t, g, 1, 10); result.Counted.Failed != 10 {
			t.Errorf("%d failed, want 10", result.Counted.Failed)
		}
	})
}

// refusing is an address at which nothing ever listens: a port of the ephemeral
// range might be another test's a moment later.
const refusing = "127.0.0.1:1"

func TestConnectionRefused(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		options.Concurrency = 4
		g := newGenerator(t, Target{URLs: []string{"http://" + refusing}}, options)
		// Many of them: they must not pile up on the stack.
		result := run1(t, g, 0, 5000)
		if want := map[string]int64{"connection refused": 5000}; !maps.Equal(result.Counted.Errors, want) {
			t.Errorf("errors %v, want %v", result.Counted.Errors, want)
		}
		if latencies, _ := g.Latencies(); latencies.TotalCount() != 0 || result.Opened != 0 {
			t.Errorf("%d latencies, %d connections, want none", latencies.TotalCount(), result.Opened)
		}
	})
}

// A timeout is never retried, not even on a connection that was used before.
func TestTimeout(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		release := make(chan struct{})
		server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				<-release
			}
		})
		defer close(release)
		options.ReadTimeout = 100 * time.Millisecond
		g := newGenerator(t, Target{URLs: []string{server.URL + "/", server.URL + "/slow"}}, options)
		start := time.Now()
		result := run1(t, g, 0, 4)
		if want := map[string]int64{"timeout": 2}; !maps.Equal(result.Counted.Errors, want) || result.Retries != 0 {
			t.Errorf("errors %v and %d retries, want %v and none", result.Counted.Errors, result.Retries, want)
		}
		if took := time.Since(start); took < 200*time.Millisecond {
			t.Errorf("two timeouts after %v, too early", took)
		}
	})
}

// silentListener accepts no connection, and its queue is full.
func silentListener(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

func TestNoAnswerEver(t *testing.T) {
	address := silentListener(t)
	everyDriver(t, func(t *testing.T, options Options) {
		options.ReadTimeout, options.Concurrency = 50*time.Millisecond, 3
		g := newGenerator(t, Target{URLs: []string{"http://" + address}}, options)
		result := run1(t, g, 0, 6)
		if want := map[string]int64{"timeout": 6}; !maps.Equal(result.Counted.Errors, want) {
			t.Errorf("errors %v, want %v", result.Counted.Errors, want)
		}
	})
}

func TestServerDiesInARun(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		var mortal atomic.Pointer[rawServer]
		server := newRawServer(t, func(int, int) (string, bool) {
			if s := mortal.Load(); s != nil && s.asked.Load() >= 200 {
				s.listener.Close()
				s.closeConnections()
			}
			return okAnswer, false
		})
		mortal.Store(server)
		options.Concurrency = 8
		g := newGenerator(t, Target{URLs: []string{server.url()}}, options)
		result := run1(t, g, 8, 1000)
		refused := result.Counted.Errors["connection refused"]
		if refused < 700 || result.Counted.Statuses[200] < 150 || result.Counted.Failed+result.Counted.Statuses[200] != 1000 {
			t.Errorf("statuses %v, errors %v: want most of them refused after about 200", result.Counted.Statuses, result.Counted.Errors)
		}
	})
}

func TestCancel(t *testing.T) {
	address := silentListener(t)
	for name, options := range map[string]Options{
		"loops":                 {},
		"goroutines":            {Portable: true},
		"net/http":              {HTTP2: true},
		"loops at a rate":       {Rate: 100},
		"goroutines at a rate":  {Rate: 100, Portable: true},
		"net/http at a rate":    {Rate: 100, HTTP2: true},
		"before the first time": {Rate: 0.001, Portable: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options.Concurrency = 8
			g := newGenerator(t, Target{URLs: []string{"http://" + address}}, options)
			ctx, cancel := context.WithCancelCause(testContext(t))
			why := errors.New("enough")
			time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
			start := time.Now()
			_, err := g.Run(ctx, 8, 1000)
			if !errors.Is(err, why) {
				t.Errorf("error %v, want the cause of the context", err)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("cancelled after %v", took)
			}
			if _, err := g.Run(ctx, 8, 1); err == nil {
				t.Error("a run in a context that has ended succeeded")
			}
		})
	}
}

// After a run was cancelled the generator can go on.
func TestRunAfterCancel(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
		options.Concurrency = 4
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		ctx, cancel := context.WithCancel(testContext(t))
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := g.Run(ctx, 4, 1<<40); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want context.Canceled", err)
		}
		mustRun(t, g, 4, 100)
	})
}

func TestNothingIsLeftBehind(t *testing.T) {
	server := httptestServer(t)
	before := runtime.NumGoroutine()
	for _, portable := range []bool{false, true} {
		for range 10 {
			g, err := New(testContext(t), Target{URLs: []string{server}}, Options{Concurrency: 4, Portable: portable, Loops: 2})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Run(testContext(t), 4, 20); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(g.Close(), g.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := g.Run(testContext(t), 0, 1); !errors.Is(err, errClosed) {
				t.Errorf("a run after Close: %v, want %v", err, errClosed)
			}
		}
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, before %d", runtime.NumGoroutine(), before)
		}
	}
}

// httptestServer answers everything over connections that it closes at once, so
// that it has no goroutines of its own left.
func httptestServer(t *testing.T) string {
	t.Helper()
	return newRawServer(t, func(int, int) (string, bool) {
		return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", true
	}).url()
}

func TestRefusesNonsense(t *testing.T) {
	ok := Target{URLs: []string{"http://127.0.0.1:1"}}
	with := func(change func(*Target)) Target {
		target := ok
		change(&target)
		return target
	}
	tests := map[string]struct {
		target  Target
		options Options
		want    string
	}{
		"no url":         {target: Target{}, want: "no URL"},
		"scheme":         {target: Target{URLs: []string{"ftp://127.0.0.1"}}, want: `"ftp://127.0.0.1"`},
		"no host":        {target: Target{URLs: []string{"127.0.0.1:80"}}, want: "write it like"},
		"port":           {target: Target{URLs: []string{"http://127.0.0.1:70000"}}, want: "port 70000"},
		"method":         {target: with(func(t *Target) { t.Method = "GET /\r\n" }), want: "method"},
		"header name":    {target: with(func(t *Target) { t.Headers = []Header{{"a b", "c"}} }), want: "header"},
		"header value":   {target: with(func(t *Target) { t.Headers = []Header{{"a", "b\r\nc: d"}} }), want: "header"},
		"content-length": {target: with(func(t *Target) { t.Headers = []Header{{"Content-Length", "1"}} }), want: "follows from the body"},
		"status":         {target: with(func(t *Target) { t.Expect = []int{1000} }), want: "1000"},
		"concurrency":    {target: ok, options: Options{Concurrency: -1}, want: "concurrency -1"},
		"loops":          {target: ok, options: Options{Loops: -1}, want: "-1 event loops"},
		"rate":           {target: ok, options: Options{Rate: -1}, want: "rate -1"},
		"whole rate":     {target: ok, options: Options{Rate: 1, Whole: true}, want: "exclude each other"},
		"timeout":        {target: ok, options: Options{ReadTimeout: -1}, want: "timeout"},
		"proxy":          {target: ok, options: Options{Proxy: "nowhere"}, want: "proxy"},
	}
	for name, test := range tests {
		g, err := New(testContext(t), test.target, test.options)
		if err == nil {
			g.Close()
			t.Errorf("%s: accepted", name)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %q does not speak of %q", name, err, test.want)
		}
	}
	g := newGenerator(t, ok, Options{})
	if _, err := g.Run(testContext(t), -1, 0); err == nil {
		t.Error("a run of no requests was accepted")
	}
}
