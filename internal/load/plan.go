package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// plan is a target with everything that can be prepared before the first
// request. It is not changed afterwards, but for the address that worked last.
type plan struct {
	options   Options
	target    Target
	endpoints []endpoint
	origins   []*origin
	head      bool
	closeEach bool
	expected  [1000]bool
}

// endpoint is one URL.
type endpoint struct {
	url     *url.URL
	origin  int
	request []byte
}

// origin is where connections go.
type origin struct {
	unix       string // the path of a socket, or empty
	host, port string
	secure     bool
	addresses  []netip.AddrPort
	// preferred is the index of the address that was connected to last.
	preferred atomic.Int32
}

func newPlan(ctx context.Context, target Target, options Options) (*plan, error) {
	options, err := options.filled()
	if err != nil {
		return nil, err
	}
	target.Method = cmp.Or(target.Method, "GET")
	if err := target.valid(); err != nil {
		return nil, err
	}
	p := &plan{options: options, target: target, head: target.Method == "HEAD"}
	p.closeEach = options.CloseEach || target.asksToClose()
	for status := range p.expected {
		p.expected[status] = len(target.Expect) == 0 && status >= 200 && status <= 299
	}
	for _, status := range target.Expect {
		p.expected[status] = true
	}
	seen := map[string]int{}
	for _, text := range target.URLs {
		if err := p.addURL(text, seen); err != nil {
			return nil, err
		}
	}
	return p, p.resolve(ctx)
}

// addURL appends an endpoint, and an origin if it is a new one.
func (p *plan) addURL(text string, seen map[string]int) error {
	socket, address := splitSocket(text)
	socket = cmp.Or(socket, strings.TrimPrefix(p.target.Socket, "unix:"))
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("url %q: %w: write it like http://host:port/path", text, err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Opaque != "" {
		return fmt.Errorf("url %q has no host: write it like http://host:port/path", text)
	}
	o := &origin{unix: socket, host: u.Hostname(), port: u.Port(), secure: u.Scheme == "https"}
	if o.port == "" {
		o.port = map[bool]string{false: "80", true: "443"}[o.secure]
	}
	if number, err := strconv.Atoi(o.port); err != nil || number < 1 || number > 65535 {
		return fmt.Errorf("url %q: port %s: give 1 to 65535", text, o.port)
	}
	if socket != "" && p.options.Proxy != "" {
		return fmt.Errorf("url %q: a Unix socket and a proxy exclude each other", text)
	}
	key := strings.Join([]string{u.Scheme, socket, o.host, o.port}, "\x00")
	index, known := seen[key]
	if !known {
		index = len(p.origins)
		seen[key] = index
		p.origins = append(p.origins, o)
	}
	p.endpoints = append(p.endpoints, endpoint{url: u, origin: index, request: p.target.request(u, p.closeEach)})
	return nil
}

// splitSocket takes "unix:/path:http://host/path" apart. Without a URL behind the
// path it is the socket's root that is asked for.
func splitSocket(text string) (socket, address string) {
	rest, ok := strings.CutPrefix(text, "unix:")
	if !ok {
		return "", text
	}
	for _, scheme := range []string{":http://", ":https://"} {
		if at := strings.Index(rest, scheme); at >= 0 {
			return rest[:at], rest[at+1:]
		}
	}
	return rest, "http://localhost/"
}

// resolve looks up the names of all origins, so that no run waits for it.
func (p *plan) resolve(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.options.ConnectTimeout)
	defer cancel()
	for _, o := range p.origins {
		if o.unix != "" || p.options.Proxy != "" {
			continue
		}
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", o.host)
		if err != nil {
			return fmt.Errorf("looking up %s: %w", o.host, err)
		}
		port, _ := strconv.Atoi(o.port)
		for _, address := range found {
			o.addresses = append(o.addresses, netip.AddrPortFrom(address.Unmap(), uint16(port)))
		}
		if len(o.addresses) == 0 {
			return fmt.Errorf("looking up %s: it has no address", o.host)
		}
	}
	return nil
}

// secure reports whether any request goes through TLS.
func (p *plan) secure() bool {
	for _, o := range p.origins {
		if o.secure {
			return true
		}
	}
	return false
}

// take returns the endpoint whose turn it is.
func (p *plan) take() *endpoint { return &p.endpoints[p.options.Cursor.take(len(p.endpoints))] }

// judge says what is wrong with a complete answer, or nil.
func (p *plan) judge(status int, body []byte) *Error {
	if !p.expected[status] {
		return unexpected(status)
	}
	if p.target.Check.wanted() && !p.target.Check.holds(body) {
		return errCheck
	}
	return nil
}

func unexpected(status int) *Error {
	return &Error{Label: "unexpected status " + strconv.Itoa(status)}
}

// valid says what is wrong with a target.
func (t Target) valid() error {
	if len(t.URLs) == 0 {
		return errors.New("there is no URL: give at least one")
	}
	if !isToken(t.Method) || t.Method == "CONNECT" {
		return fmt.Errorf("method %q cannot be sent: use one like GET or POST", t.Method)
	}
	for _, status := range t.Expect {
		if status < 100 || status > 999 {
			return fmt.Errorf("expected status %d: give a number of three digits", status)
		}
	}
	for _, header := range t.Headers {
		if !isToken(header.Name) || strings.ContainsAny(header.Value, "\r\n\x00") {
			return fmt.Errorf("header %q: %q cannot be sent: a name has no spaces, a value no line ends", header.Name, header.Value)
		}
		switch strings.ToLower(header.Name) {
		case "content-length", "transfer-encoding":
			return fmt.Errorf("header %s follows from the body: leave it out", header.Name)
		}
	}
	return nil
}

// isToken reports whether text is a token of RFC 9110, section 5.6.2.
func isToken(text string) bool {
	for _, c := range []byte(text) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return text != ""
}

// asksToClose reports whether a header of the user's ends connections.
func (t Target) asksToClose() bool {
	for _, header := range t.Headers {
		if strings.EqualFold(header.Name, "Connection") && strings.Contains(strings.ToLower(header.Value), "close") {
			return true
		}
	}
	return false
}

// request builds the bytes of an HTTP/1.1 request.
func (t Target) request(u *url.URL, closeEach bool) []byte {
	var out []byte
	line := func(name, value string) { out = append(out, name+": "+value+"\r\n"...) }
	given := map[string]bool{}
	for _, header := range t.Headers {
		given[strings.ToLower(header.Name)] = true
	}
	out = append(out, t.Method+" "+u.RequestURI()+" HTTP/1.1\r\n"...)
	if !given["host"] {
		line("Host", u.Host)
	}
	if !given["user-agent"] {
		line("User-Agent", userAgent)
	}
	if !given["accept"] {
		line("Accept", "*/*")
	}
	if u.User != nil && !given["authorization"] {
		password, _ := u.User.Password()
		header := BasicAuth(u.User.Username(), password)
		line(header.Name, header.Value)
	}
	for _, header := range t.Headers {
		line(header.Name, header.Value)
	}
	if closeEach && !given["connection"] {
		line("Connection", "close")
	}
	if len(t.Body) > 0 || t.Method == "POST" || t.Method == "PUT" || t.Method == "PATCH" {
		line("Content-Length", strconv.Itoa(len(t.Body)))
	}
	out = append(out, "\r\n"...)
	return append(out, t.Body...)
}
