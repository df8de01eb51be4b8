package load

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// testContext ends before the test binary's own limit.
func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// countingServer counts the connections that it accepts.
type countingServer struct {
	*httptest.Server
	accepted atomic.Int64
}

func newCountingServer(t testing.TB, handler http.HandlerFunc) *countingServer {
	t.Helper()
	s := newUnstartedServer(handler)
	s.start(t)
	return s
}

func newUnstartedServer(handler http.HandlerFunc) *countingServer {
	return &countingServer{Server: httptest.NewUnstartedServer(handler)}
}

func (s *countingServer) start(t testing.TB) {
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.accepted.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
}

// rawServer answers the k-th request of its c-th connection with bytes. An empty
// answer closes the connection, as does one that says so.
type rawServer struct {
	listener net.Listener
	answer   func(connection, request int) (bytes string, thenClose bool)
	accepted atomic.Int64
	asked    atomic.Int64
	mu       sync.Mutex
	open     []net.Conn
	running  sync.WaitGroup
}

func newRawServer(t testing.TB, answer func(connection, request int) (string, bool)) *rawServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{listener: listener, answer: answer}
	s.running.Go(s.accept)
	t.Cleanup(s.close)
	return s
}

func (s *rawServer) url() string { return "http://" + s.listener.Addr().String() + "/" }

func (s *rawServer) close() {
	s.listener.Close()
	s.closeConnections()
	s.running.Wait()
}

// closeConnections ends all connections that are open now.
func (s *rawServer) closeConnections() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.open {
		conn.Close()
	}
	s.open = nil
}

func (s *rawServer) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		number := int(s.accepted.Add(1))
		s.mu.Lock()
		s.open = append(s.open, conn)
		s.mu.Unlock()
		s.running.Go(func() { s.serve(conn, number) })
	}
}

func (s *rawServer) serve(conn net.Conn, number int) {
	defer conn.Close()
	reader := bufio.NewReader(conn)
	for k := 1; ; k++ {
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		request.Body.Close()
		s.asked.Add(1)
		answer, thenClose := s.answer(number, k)
		if answer != "" {
			if _, err := conn.Write([]byte(answer)); err != nil {
				return
			}
		}
		if answer == "" || thenClose {
			return
		}
	}
}

// everyDriver runs a test with event loops, where there are any, and with a
// goroutine per connection.
func everyDriver(t *testing.T, test func(t *testing.T, options Options)) {
	t.Helper()
	for name, portable := range map[string]bool{"loops": false, "goroutines": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, Options{Portable: portable, Loops: 2})
		})
	}
}

func newGenerator(t testing.TB, target Target, options Options) *Generator {
	t.Helper()
	g, err := New(testContext(t), target, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// mustRun runs without an error and without a failed request.
func mustRun(t testing.TB, g *Generator, lead, n int64) Result {
	t.Helper()
	result := run1(t, g, lead, n)
	if result.Counted.Failed != 0 || result.Outside.Failed != 0 {
		t.Fatalf("requests failed: %v %v", result.Counted.Examples, result.Outside.Examples)
	}
	return result
}

func run1(t testing.TB, g *Generator, lead, n int64) Result {
	t.Helper()
	result, err := g.Run(testContext(t), lead, n)
	if err != nil {
		t.Fatal(err)
	}
	if result.Counted.Requests != n {
		t.Fatalf("%d requests counted, want %d", result.Counted.Requests, n)
	}
	if result.Wall <= 0 {
		t.Fatalf("a run of %v", result.Wall)
	}
	return result
}
