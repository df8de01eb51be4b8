package load

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// crowdedListener listens with the shortest queue there is and accepts nothing.
func crowdedListener(t *testing.T, family int, address syscall.Sockaddr) (fd int) {
	t.Helper()
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Bind(fd, address); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	return fd
}

func TestConnectTimeout(t *testing.T) {
	everyDriver(t, func(t *testing.T, options Options) {
		fd := crowdedListener(t, syscall.AF_INET, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
		t.Cleanup(func() { syscall.Close(fd) })
		name, err := syscall.Getsockname(fd)
		if err != nil {
			t.Fatal(err)
		}
		url := fmt.Sprintf("http://127.0.0.1:%d/", name.(*syscall.SockaddrInet4).Port)
		// The first connection fills the queue, and its request is never answered.
		options.ConnectTimeout, options.ReadTimeout, options.Concurrency = 200*time.Millisecond, 400*time.Millisecond, 4
		result := run1(t, newGenerator(t, Target{URLs: []string{url}}, options), 0, 8)
		errors := result.Counted.Errors
		if errors["connect timeout"] < 4 || errors["timeout"] < 1 || errors["connect timeout"]+errors["timeout"] != 8 {
			t.Errorf("errors %v, want timeouts of both kinds", errors)
		}
	})
}

// Connecting to a Unix socket whose queue is full is tried again until there is
// room.
func TestCrowdedUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	file := os.NewFile(uintptr(crowdedListener(t, syscall.AF_UNIX, &syscall.SockaddrUnix{Name: path})), path)
	listener, err := net.FileListener(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	t.Cleanup(func() { server.Close() })
	time.AfterFunc(30*time.Millisecond, func() { server.Serve(listener) })
	g := newGenerator(t, Target{URLs: []string{"http://a/"}, Socket: path}, Options{Concurrency: 16, Loops: 2, CloseEach: true})
	if result := mustRun(t, g, 16, 50); !maps.Equal(result.Counted.Statuses, map[int]int64{200: 50}) {
		t.Errorf("statuses %v", result.Counted.Statuses)
	}
}
