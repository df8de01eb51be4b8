package peers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"
)

// The roles of a child.
const (
	rolePaced    = "paced"
	roleDelaying = "delaying"
	rolePlain    = "plain"
	roleLoad     = "load"
	roleHolding  = "holding"
)

// ChildOptions say what a child does.
type ChildOptions struct {
	Role string
	// Interval is that of a paced server's answers.
	Interval time.Duration
	// Every and Delay are those of a delaying server.
	Every int64
	Delay time.Duration
	// URL, Concurrency and For are what a load generator by itself does.
	URL         string
	Concurrency int
	For         time.Duration
	// Megabytes is how much memory a holding process has touched before it runs
	// Command, or without one a small program.
	Megabytes int
	Command   []string
}

// Child plays a part in an experiment until its input ends.
func Child(in *os.File, out io.Writer, o ChildOptions) error {
	switch o.Role {
	case rolePaced:
		return runPaced(out, o.Interval)
	case roleDelaying:
		return runDelaying(in, out, o.Every, o.Delay)
	case rolePlain:
		return runPlain(in, out)
	case roleLoad:
		return runLoad(out, o)
	case roleHolding:
		return runHolding(out, o)
	}
	return fmt.Errorf("there is no part %q to play", o.Role)
}

// smallAnswer is an answer of 13 bytes.
var smallAnswer = []byte("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, World!")

// pacedReport is what a paced server has done since the last report.
type pacedReport struct {
	Requests int64 `json:"requests"`
	// Gaps and Span are the number of times between two answers of one period,
	// and their sum.
	Gaps int64         `json:"gaps"`
	Span time.Duration `json:"span"`
	// Late counts answers that left more than an interval late.
	Late int64 `json:"late"`
}

// mean is the mean time between two answers.
func (r pacedReport) mean() float64 { return float64(r.Span) / float64(max(1, r.Gaps)) }

func (r *pacedReport) add(other pacedReport) {
	r.Requests, r.Gaps, r.Span, r.Late = r.Requests+other.Requests, r.Gaps+other.Gaps, r.Span+other.Span, r.Late+other.Late
}

// plainReport is what a plain server has done since its start.
type plainReport struct {
	Requests int64 `json:"requests"`
}

// runPlain is a server of the standard library with an answer of 13 bytes.
func runPlain(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("starting a plain server: %w", err)
	}
	var requests atomic.Int64
	body := []byte("Hello, World!")
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write(body) // a client that has gone is no concern of the server
	})}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	return answerReports(in, out, listener.Addr().String(), func() any { return plainReport{requests.Load()} })
}

// pageSize is no more than that of any system.
const pageSize = 4096

// runHolding touches memory, and then runs a command with this process as its
// parent.
func runHolding(out io.Writer, o ChildOptions) error {
	held := make([]byte, o.Megabytes<<20)
	for i := 0; i < len(held); i += pageSize {
		held[i] = 1
	}
	defer runtime.KeepAlive(held)
	if len(o.Command) == 0 {
		return readSmall(out)
	}
	command := exec.Command(o.Command[0], o.Command[1:]...)
	command.Stdout, command.Stderr = out, os.Stderr
	return command.Run()
}
