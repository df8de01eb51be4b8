package load

import (
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	target := func(proto string) Target {
		return Target{URLs: []string{server.URL}, Check: Check{Exact: []byte(proto)}}
	}
	for _, trust := range []TLS{{Roots: roots}, {InsecureSkipVerify: true}, {Roots: roots, ServerName: "example.com"}} {
		result := mustRun(t, newGenerator(t, target("HTTP/1.1"), Options{TLS: trust, Concurrency: 3}), 3, 50)
		if result.Opened > 3 {
			t.Errorf("%d connections, want 3 at most", result.Opened)
		}
	}
	mustRun(t, newGenerator(t, target("HTTP/2.0"), Options{TLS: TLS{Roots: roots, ServerName: "example.com"}, HTTP2: true, Concurrency: 3}), 3, 50)
	for _, trust := range []TLS{{}, {Roots: roots, ServerName: "elsewhere.test"}} {
		result := run1(t, newGenerator(t, target("HTTP/1.1"), Options{TLS: trust}), 0, 3)
		if result.Counted.Errors["certificate not accepted"] != 3 {
			t.Errorf("errors %v, want certificates not accepted", result.Counted.Errors)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no Unix sockets")
	}
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Host, r.URL)
	})}}
	server.Start()
	t.Cleanup(server.Close)
	everyDriver(t, func(t *testing.T, options Options) {
		options.Concurrency = 4
		for _, target := range []Target{
			{URLs: []string{"unix:" + path + ":http://example.test/a"}},
			{URLs: []string{"http://example.test/a"}, Socket: path},
			{URLs: []string{"http://example.test/a"}, Socket: "unix:" + path},
		} {
			target.Check = Check{Exact: []byte("example.test/a")}
			mustRun(t, newGenerator(t, target, options), 4, 50)
		}
		mustRun(t, newGenerator(t, Target{URLs: []string{"unix:" + path}, Check: Check{Exact: []byte("localhost/")}}, options), 1, 5)
		gone := newGenerator(t, Target{URLs: []string{"http://a/"}, Socket: path + "none"}, options)
		if result := run1(t, gone, 0, 3); result.Counted.Failed != 3 {
			t.Errorf("%d failed without a socket, want 3", result.Counted.Failed)
		}
	})
}

func TestIPv6AndNames(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.NotFoundHandler()}}
	server.Start()
	t.Cleanup(server.Close)
	everyDriver(t, func(t *testing.T, options Options) {
		mustRun(t, newGenerator(t, Target{URLs: []string{server.URL}, Expect: []int{404}}, options), 1, 10)
	})
}

// Of the addresses of a name some may refuse: the next is tried, and kept.
func TestOtherAddressOfAName(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		server := newCountingServer(t, func(http.ResponseWriter, *http.Request) {})
		options.CloseEach = true
		g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
		o := g.plan.origins[0]
		o.addresses = append(o.addresses, o.addresses[0])
		o.addresses[0] = netip.MustParseAddrPort(refusing)
		mustRun(t, g, 0, 5)
		if o.preferred.Load() != 1 {
			t.Error("the address that works is not kept")
		}
	})
}

func TestPlainHTTP2(t *testing.T) {
	var accepted atomic.Int64
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, r.Proto, r.Method, r.Header["X-Two"], r.UserAgent())
	}))
	server.Config.Protocols = protocols
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			accepted.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	target := Target{
		URLs: []string{server.URL}, Method: "POST", Body: []byte("hello"), Headers: []Header{{"X-Two", "1"}, {"X-Two", "2"}},
		Check: Check{Exact: []byte("HTTP/2.0POST[1 2]rtcompare")},
	}
	result := mustRun(t, newGenerator(t, target, Options{HTTP2: true, Concurrency: 8}), 8, 100)
	if accepted.Load() == 0 || result.Opened != accepted.Load() {
		t.Errorf("%d connections opened, %d accepted", result.Opened, accepted.Load())
	}
}

func TestProxy(t *testing.T) {
	server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "behind") })
	behind, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(behind) }}
	proxy := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		forward.ServeHTTP(w, r)
	})
	// The name is for the proxy to look up.
	target := Target{URLs: []string{"http://nowhere.invalid/"}, Check: Check{Exact: []byte("behind")}}
	mustRun(t, newGenerator(t, target, Options{Proxy: proxy.URL, Whole: true}), 0, 20)
	if asked.Load() != 20 {
		t.Errorf("%d requests went through the proxy, want 20", asked.Load())
	}
}

func TestFailuresThroughNetHTTP(t *testing.T) {
	release := make(chan struct{})
	server := newCountingServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/slow":
			<-release
		case "/short":
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "hello")
		default:
			io.WriteString(w, "hello")
		}
	})
	defer close(release)
	options := Options{Proxy: server.URL, ConnectTimeout: 50 * time.Millisecond, ReadTimeout: 50 * time.Millisecond, Whole: true}
	for path, label := range map[string]string{
		"/": "", "/busy": "unexpected status 503", "/slow": "timeout", "/short": "truncated body",
	} {
		result := run1(t, newGenerator(t, Target{URLs: []string{"http://a.invalid" + path}}, options), 0, 4)
		if label == "" {
			if result.Counted.Failed != 0 || result.Counted.Received != 20 {
				t.Errorf("%d failed, %d bytes received, want 0 and 20", result.Counted.Failed, result.Counted.Received)
			}
			continue
		}
		if result.Counted.Errors[label] != 4 {
			t.Errorf("%s: errors %v, want %s", path, result.Counted.Errors, label)
		}
	}
	options.Proxy = "http://" + refusing
	result := run1(t, newGenerator(t, Target{URLs: []string{"http://a.invalid/"}}, options), 0, 4)
	if result.Counted.Errors["connection refused"] != 4 {
		t.Errorf("errors %v, want connection refused", result.Counted.Errors)
	}
}

func TestProcessorTimeOfGoroutines(t *testing.T) {
	server := newCountingServer(t, func(http.ResponseWriter, *http.Request) {})
	var used time.Duration
	options := Options{Portable: true, Whole: true, ProcessCPU: func() (time.Duration, bool) {
		used += time.Millisecond
		return used, true
	}}
	g := newGenerator(t, Target{URLs: []string{server.URL}}, options)
	if result := mustRun(t, g, 0, 5); result.CPU != time.Millisecond {
		t.Errorf("processor time %v, want 1 ms", result.CPU)
	}
	if result := mustRun(t, g, 5, 5); result.CPU != 2*time.Millisecond {
		t.Errorf("processor time %v with that of the lead, want 2 ms", result.CPU)
	}
	options.ProcessCPU = nil
	if result := mustRun(t, newGenerator(t, Target{URLs: []string{server.URL}}, options), 0, 5); result.CPU != -1 {
		t.Errorf("processor time %v, want -1: nobody knows it", result.CPU)
	}
}
