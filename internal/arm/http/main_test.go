package httparm

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// serverVariable makes the test binary a server of its own.
const serverVariable = "RTCOMPARE_TEST_SERVER"

func TestMain(m *testing.M) {
	if network := os.Getenv(serverVariable); network != "" {
		serve(network)
		return
	}
	os.Exit(m.Run())
}

// serve answers until its input ends, so that it never outlives the test.
func serve(network string) {
	kind, address, _ := strings.Cut(network, " ")
	listener, err := net.Listen(kind, address)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(listener.Addr())
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for start := time.Now(); r.URL.Path == "/busy" && time.Since(start) < time.Millisecond; {
		}
		io.WriteString(w, "hello")
	}))
	io.Copy(io.Discard, os.Stdin)
}

// startServer starts a server process and returns its address.
func startServer(t *testing.T, network string) (address string, pid int) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), serverVariable+"="+network)
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		command.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), command.Process.Pid
}

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func newServer(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}
