package load

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func TestKeepAliveAcrossRuns(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		for _, concurrency := range []int{1, 2, 64} {
			server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
			options.Concurrency = concurrency
			g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
			opened := int64(0)
			for range 3 {
				result := mustRun(t, g, int64(concurrency), 500)
				opened += result.Opened
				if got := result.Counted.Statuses; !maps.Equal(got, map[int]int64{200: 500}) {
					t.Errorf("statuses %v, want 500 times 200", got)
				}
				if outside := result.Outside.Requests; outside < int64(concurrency) || outside > 2*int64(concurrency)-1 {
					t.Errorf("%d requests outside of the measured time, want the lead of %d and at most one more per connection", outside, concurrency)
				}
			}
			if accepted := server.accepted.Load(); accepted != opened || accepted > int64(concurrency) || accepted == 0 {
				t.Errorf("%d connections accepted, %d opened, want at most %d", accepted, opened, concurrency)
			}
			if latencies, service := g.Latencies(); latencies.TotalCount() != 1500 || service != nil {
				t.Errorf("%d latencies, want 1500, and no service times", latencies.TotalCount())
			}
		}
	})
}

func TestWholeRuns(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		var asked atomic.Int64
		server := newCountingServer(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
		options.Concurrency, options.Whole = 8, true
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		result := mustRun(t, g, 20, 300)
		if asked.Load() != 320 || result.Outside.Requests != 20 {
			t.Errorf("%d requests sent, %d of them before, want 320 and 20", asked.Load(), result.Outside.Requests)
		}
		if mustRun(t, g, 5, 3); asked.Load() != 328 {
			t.Errorf("%d requests sent, want 328", asked.Load())
		}
		if latencies, _ := g.Latencies(); latencies.TotalCount() != 303 {
			t.Errorf("%d latencies, want 303: those of the leads do not count", latencies.TotalCount())
		}
	})
}

func TestBodies(t *testing.T) {
	large := strings.Repeat("0123456789", 5000)
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for at := 0; at < len(large); at += 1250 {
		chunked += fmt.Sprintf("%x;name=value\r\n%s\r\n", 1250, large[at:at+1250])
	}
	chunked += "0\r\nChecksum: none\r\n\r\n"
	tests := map[string]struct {
		answer    string
		method    string
		body      string
		thenClose bool
		reused    bool
	}{
		"fixed":                {answer: fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(large), large), body: large, reused: true},
		"chunked with trailer": {answer: chunked, body: large, reused: true},
		"until close":          {answer: "HTTP/1.1 200 OK\r\n\r\n" + large, body: large, thenClose: true},
		"connection: close":    {answer: "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok", body: "ok", thenClose: true},
		"HTTP/1.0":             {answer: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", body: "ok", thenClose: true},
		"HTTP/1.0 keep-alive":  {answer: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", body: "ok", reused: true},
		"HEAD":                 {answer: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", method: "HEAD", reused: true},
		"204":                  {answer: "HTTP/1.1 204 No Content\r\n\r\n", reused: true},
		"100 continue":         {answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + okAnswer, body: "ok", reused: true},
		"empty":                {answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", reused: true},
	}
	everyDriver(t, func(t *testing.T, options Options) {
		for name, test := range tests {
			server := newRawServer(t, func(int, int) (string, bool) { return test.answer, test.thenClose })
			options.Concurrency = 2
			target := Target{URLs: []string{server.url()}, Method: test.method, Check: Check{Exact: []byte(test.body)}}
			g := newGenerator(t, target, options)
			result := mustRun(t, g, 2, 20)
			if want := 20 * int64(len(test.answer)); result.Counted.Received != want {
				t.Errorf("%s: %d bytes received, want %d", name, result.Counted.Received, want)
			}
			asked, accepted := server.asked.Load(), server.accepted.Load()
			if test.reused && accepted > 2 {
				t.Errorf("%s: %d connections for %d requests, want 2", name, accepted, asked)
			}
			if !test.reused && accepted != asked {
				t.Errorf("%s: %d connections for %d requests, want one each", name, accepted, asked)
			}
			if result.Retries != 0 {
				t.Errorf("%s: %d retries", name, result.Retries)
			}
		}
	})
}

func TestStaleConnectionsAreReplaced(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newRawServer(t, func(int, int) (string, bool) { return okAnswer, false })
		options.Concurrency = 4
		g := newGenerator(t, Target{URLs: []string{server.url()}}, options)
		mustRun(t, g, 4, 50)
		before := server.accepted.Load()
		server.closeConnections()
		time.Sleep(20 * time.Millisecond) // the news travels to the other end
		result := mustRun(t, g, 4, 50)
		// Event loops see the end of a connection before they use it again. A
		// goroutine may come too late to send anything in so short a run.
		fresh := server.accepted.Load() - before
		if fresh < 1 || fresh > before || (options.Portable && result.Retries != fresh) || (!options.Portable && result.Retries != 0) {
			t.Errorf("%d retries over %d new connections, want at most %d", result.Retries, fresh, before)
		}
	})
}

// A server that closes without saying so sees every request once: what was sent
// over the dead connection never reached it.
func TestAlwaysClosingServer(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newRawServer(t, func(int, int) (string, bool) { return okAnswer, true })
		g := newGenerator(t, Target{URLs: []string{server.url()}}, options)
		mustRun(t, g, 0, 50)
		if asked, accepted := server.asked.Load(), server.accepted.Load(); asked != 50 || accepted != 50 {
			t.Errorf("%d requests over %d connections, want 50 and 50", asked, accepted)
		}
	})
}

func TestCloseEach(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		var closing atomic.Int64
		server := newCountingServer(t, func(_ http.ResponseWriter, r *http.Request) {
			if r.Close {
				closing.Add(1)
			}
		})
		options.Concurrency, options.CloseEach, options.Whole = 3, true, true
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		mustRun(t, g, 0, 60)
		if server.accepted.Load() != 60 || closing.Load() != 60 {
			t.Errorf("%d connections, %d requests said close, want 60", server.accepted.Load(), closing.Load())
		}
	})
}

func TestURLsAreSpreadEvenly(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		var mu sync.Mutex
		seen := map[string]int{}
		handler := func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			seen[r.Host+r.URL.RequestURI()]++
		}
		one, other := newCountingServer(t, handler), newCountingServer(t, handler)
		options.Concurrency, options.Whole = 5, true
		g := newGenerator(t, Target{URLs: []string{one.URL + "/a", one.URL + "/b?c=d", other.URL}}, options)
		mustRun(t, g, 0, 10) // cycling goes on where it stopped
		mustRun(t, g, 0, 80)
		mu.Lock()
		defer mu.Unlock()
		if len(seen) != 3 {
			t.Fatalf("requests went to %v, want three places", seen)
		}
		for place, count := range seen {
			if count != 30 {
				t.Errorf("%d requests to %s, want 30", count, place)
			}
		}
		if one.accepted.Load() > 5 || other.accepted.Load() > 5 {
			t.Errorf("%d and %d connections, want 5 each at most", one.accepted.Load(), other.accepted.Load())
		}
	})
}

func TestRequestAsSent(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		large := strings.Repeat("x", 16<<20) // more than a socket takes at once
		server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			fmt.Fprint(w, r.Method, " ", r.URL, " ", r.Host, " ", r.UserAgent(), " ", r.Header["Accept"], " ", r.Header["X-Two"], " ", r.Header["Authorization"], " ", len(body))
		})
		target := Target{
			URLs: []string{server.URL + "/a b?q=1"}, Method: "PUT", Body: []byte(large),
			Headers: []Header{{"Host", "example.test"}, {"X-Two", "1"}, {"X-Two", "2"}, BasicAuth("me", "pass")},
			Check:   Check{Exact: []byte(`PUT /a%20b?q=1 example.test rtcompare [*/*] [1 2] [Basic bWU6cGFzcw==] 16777216`)},
		}
		mustRun(t, newGenerator(t, target, options), 1, 3)
	})
}

func TestBodyChecks(t *testing.T) {
	tests := map[string]struct {
		check Check
		fails bool
	}{
		"exact":       {check: Check{Exact: []byte("hello")}},
		"not exact":   {check: Check{Exact: []byte("hell")}, fails: true},
		"not empty":   {check: Check{Exact: []byte{}}, fails: true},
		"contains":    {check: Check{Contains: []byte("ell")}},
		"not in it":   {check: Check{Contains: []byte("bell")}, fails: true},
		"matches":     {check: Check{Pattern: regexp.MustCompile(`^h.*o$`)}},
		"no match":    {check: Check{Pattern: regexp.MustCompile(`^o`)}, fails: true},
		"all but one": {check: Check{Contains: []byte("h"), Pattern: regexp.MustCompile("x")}, fails: true},
	}
	everyDriver(t, func(t *testing.T, options Options) {
		server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
		for name, test := range tests {
			g := newGenerator(t, Target{URLs: []string{server.URL}, Check: test.check}, options)
			result := run1(t, g, 1, 10)
			want := int64(0)
			if test.fails {
				want = 10
			}
			if result.Counted.Failed != want || result.Counted.Errors["body check failed"] != want || result.Counted.Statuses[200] != 10 {
				t.Errorf("%s: %d failed, %v, want %d", name, result.Counted.Failed, result.Counted.Errors, want)
			}
		}
	})
}
