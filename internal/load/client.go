package load

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
)

// client is the exchanger that goes through net/http, for HTTP/2 and proxies.
// All of a driver share one transport.
type client struct {
	plan      *plan
	transport *http.Transport
	opened    *atomic.Int64
	buffer    bytes.Buffer
	scratch   []byte
}

func newClientDriver(p *plan) (driver, error) {
	opened := new(atomic.Int64)
	transport, err := newTransport(p, opened)
	if err != nil {
		return nil, err
	}
	w := newWorkers(p, func(*plan) exchanger {
		return &client{plan: p, transport: transport, opened: opened, scratch: make([]byte, 16<<10)}
	})
	w.finished = transport.CloseIdleConnections
	return w, nil
}

// newTransport sets up net/http to do as little as it can.
func newTransport(p *plan, opened *atomic.Int64) (*http.Transport, error) {
	var config *tls.Config
	if p.secure() || strings.HasPrefix(p.options.Proxy, "https:") {
		config = p.options.TLS.config("")
		config.NextProtos = nil
	}
	sockets := map[string]string{} // by host and port
	for _, o := range p.origins {
		if o.unix != "" {
			sockets[net.JoinHostPort(o.host, o.port)] = o.unix
		}
	}
	dialer := net.Dialer{Timeout: p.options.ConnectTimeout}
	t := &http.Transport{
		TLSClientConfig:       config,
		TLSHandshakeTimeout:   p.options.ConnectTimeout,
		DisableCompression:    true,
		DisableKeepAlives:     p.closeEach,
		MaxIdleConns:          0,
		MaxIdleConnsPerHost:   p.options.Concurrency,
		ResponseHeaderTimeout: p.options.ReadTimeout,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if path, ok := sockets[address]; ok {
				network, address = "unix", path
			}
			conn, err := dialer.DialContext(ctx, network, address)
			if err == nil {
				opened.Add(1)
			}
			return conn, err
		},
	}
	if p.options.Proxy != "" {
		u, err := url.Parse(p.options.Proxy)
		if err != nil {
			return nil, fmt.Errorf("proxy %q: %w", p.options.Proxy, err)
		}
		t.Proxy = http.ProxyURL(u)
	}
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(!p.options.HTTP2)
	t.Protocols.SetHTTP2(p.options.HTTP2)
	t.Protocols.SetUnencryptedHTTP2(p.options.HTTP2)
	return t, nil
}

func (c *client) exchange(ctx context.Context, o *outcome) (opened int64, again bool) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.plan.options.ConnectTimeout+c.plan.options.ReadTimeout, errTimeout)
	defer cancel()
	o.failure = c.ask(ctx, o)
	// Connections belong to all; each is reported once, by whoever comes first.
	return c.opened.Swap(0), false
}

// ask makes the request and reads the answer.
func (c *client) ask(ctx context.Context, o *outcome) *Error {
	request, err := c.plan.httpRequest(ctx, o.endpoint)
	if err != nil {
		return classify(err, true)
	}
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return classify(cmp.Or(causeOf(ctx, err), err), true)
	}
	defer response.Body.Close()
	c.buffer.Reset()
	var into io.Writer = &c.buffer
	if !c.plan.target.Check.wanted() {
		into = discard{}
	}
	o.received, err = io.CopyBuffer(into, io.LimitReader(response.Body, c.plan.mostBody()), c.scratch)
	if err != nil {
		return classify(cmp.Or(causeOf(ctx, err), err), true)
	}
	if c.plan.target.Check.wanted() && o.received == longestChecked {
		return errBodyTooLong
	}
	o.status = response.StatusCode
	if o.status < 100 || o.status >= len(c.plan.expected) {
		o.status = 0
		return malformed("a status that is not a number of three digits")
	}
	return c.plan.judge(o.status, c.buffer.Bytes())
}

// mostBody bounds a body that is kept.
func (p *plan) mostBody() int64 {
	if p.target.Check.wanted() {
		return longestChecked
	}
	return math.MaxInt64
}

// discard is io.Discard without its own way of copying, so that the buffer of
// the exchanger is used.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// causeOf is the reason for which the context ended a request, or nil.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, cause)) {
		return cause
	}
	return nil
}

// httpRequest builds the request for net/http.
func (p *plan) httpRequest(ctx context.Context, e *endpoint) (*http.Request, error) {
	var body io.Reader
	if len(p.target.Body) > 0 {
		body = bytes.NewReader(p.target.Body)
	}
	request, err := http.NewRequestWithContext(ctx, p.target.Method, e.url.String(), body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept", "*/*")
	if user := e.url.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	seen := map[string]bool{}
	for _, header := range p.target.Headers {
		name := http.CanonicalHeaderKey(header.Name)
		switch {
		case name == "Host":
			request.Host = header.Value
		case seen[name]:
			request.Header.Add(name, header.Value)
		default:
			request.Header.Set(name, header.Value)
		}
		seen[name] = true
	}
	return request, nil
}

// disconnect closes what is idle; a request in flight ends with its context.
func (c *client) disconnect() { c.transport.CloseIdleConnections() }
