package load

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net/url"
	"runtime"
	"sync/atomic"
	"time"
)

// Options say how requests are sent. The zero value is one connection in the
// closed loop.
type Options struct {
	// Concurrency is the number of connections, each with one request in flight
	// at most; 0 means 1. With HTTP/2 it is the number of streams.
	Concurrency int
	// Loops is the number of event loops, a thread each. 0 means half the
	// processors, at least one: the server usually needs the others.
	Loops int
	// Rate is the number of requests per second of the open loop; 0 is the
	// closed loop.
	Rate float64
	// Poisson draws the gaps between planned times from an exponential
	// distribution, with Seed; otherwise they are equal.
	Poisson bool
	Seed    uint64
	// Whole times a run from its first request to its last answer, with the
	// start and the end of it in the time. It belongs to the closed loop.
	Whole bool
	// CloseEach opens a connection for every request.
	CloseEach bool
	// ConnectTimeout and ReadTimeout are [DefaultTimeout] where they are 0. The
	// second runs from sending the request to the end of the answer. Timeouts
	// are noticed up to a quarter late, never early. Through net/http it is the
	// sum of both that bounds a request.
	ConnectTimeout, ReadTimeout time.Duration
	// TLS is for https URLs.
	TLS TLS
	// HTTP2 speaks HTTP/2 only, without TLS for http URLs. Proxy is the URL of a
	// proxy. Both go through net/http.
	HTTP2 bool
	Proxy string
	// Portable takes a goroutine per connection also where there are event
	// loops.
	Portable bool
	// Cursor is the place in the list of URLs; generators may share one. Nil
	// means one of its own.
	Cursor *Cursor
	// ProcessCPU returns the processor time of this process. It is asked where
	// requests do not run on event loops. Nil, or false, means not known.
	ProcessCPU func() (time.Duration, bool)
}

// TLS says whom to trust.
type TLS struct {
	// Roots are the certificate authorities; nil means those of the system.
	Roots *x509.CertPool
	// Certificates identify the client.
	Certificates []tls.Certificate
	// InsecureSkipVerify accepts any certificate.
	InsecureSkipVerify bool
	// ServerName is the name in the certificate; empty means the URL's host.
	ServerName string
}

func (t TLS) config(host string) *tls.Config {
	name := t.ServerName
	if name == "" {
		name = host
	}
	return &tls.Config{
		RootCAs:            t.Roots,
		Certificates:       t.Certificates,
		InsecureSkipVerify: t.InsecureSkipVerify,
		ServerName:         name,
		NextProtos:         []string{"http/1.1"},
	}
}

// Cursor is a place in a list that is gone through again and again. It may be
// used by several goroutines.
type Cursor struct{ next atomic.Uint64 }

// take returns the next index below count.
func (c *Cursor) take(count int) int {
	if count == 1 {
		return 0
	}
	return int((c.next.Add(1) - 1) % uint64(count))
}

// mostConnections is more than one machine can have to one address.
const mostConnections = 60000

// filled returns the options with their defaults, or what is wrong with them.
func (o Options) filled() (Options, error) {
	if o.Concurrency < 0 || o.Concurrency > mostConnections {
		return o, fmt.Errorf("concurrency %d: give 1 to %d connections", o.Concurrency, mostConnections)
	}
	if o.Loops < 0 {
		return o, fmt.Errorf("%d event loops: give 1 or more, or 0 for half the processors", o.Loops)
	}
	if o.Rate < 0 || math.IsNaN(o.Rate) || math.IsInf(o.Rate, 0) {
		return o, fmt.Errorf("rate %v: give requests per second, or 0 for as many as possible", o.Rate)
	}
	if o.Whole && o.Rate > 0 {
		return o, errors.New("timing whole runs and a fixed rate exclude each other: leave one out")
	}
	if o.ConnectTimeout < 0 || o.ReadTimeout < 0 {
		return o, errors.New("a timeout is negative: give a positive one, or 0 for 30 s")
	}
	if o.Proxy != "" {
		if u, err := url.Parse(o.Proxy); err != nil || u.Host == "" {
			return o, fmt.Errorf("proxy %q is not a URL: write it like http://host:port", o.Proxy)
		}
	}
	o.Concurrency = max(1, o.Concurrency)
	if o.Loops == 0 {
		o.Loops = max(1, runtime.GOMAXPROCS(0)/2)
	}
	o.Loops = min(o.Loops, o.Concurrency)
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = DefaultTimeout
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = DefaultTimeout
	}
	if o.Cursor == nil {
		o.Cursor = new(Cursor)
	}
	return o, nil
}
