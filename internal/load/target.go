package load

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"time"
)

// Target is what is asked of a server.
type Target struct {
	// URLs are requested in turn; at least one. They may name several hosts.
	// "unix:/path/to/socket:http://host/path" goes through a Unix socket;
	// "unix:/path/to/socket" asks for http://localhost/ there.
	URLs []string
	// Method is GET where it is empty.
	Method string
	// Headers are sent as they are, in order; a name may occur more than once.
	// Host, User-Agent and Accept have defaults that they replace.
	Headers []Header
	// Body is sent with every request.
	Body []byte
	// Socket is the path of a Unix socket to which all requests go, with or
	// without "unix:" before it.
	Socket string
	// Expect holds the statuses that count as success. Empty means any from 200
	// to 299. A redirect is not followed.
	Expect []int
	// Check is held against the body of every answer.
	Check Check
}

// Header is one header line.
type Header struct{ Name, Value string }

// BasicAuth is the header for a user name and a password.
func BasicAuth(user, password string) Header {
	text := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	return Header{Name: "Authorization", Value: "Basic " + text}
}

// Bearer is the header for an access token.
func Bearer(token string) Header {
	return Header{Name: "Authorization", Value: "Bearer " + token}
}

// Check says what a body has to look like; all that is set has to hold. The zero
// value accepts every body and spares keeping it.
type Check struct {
	// Exact is the whole body. Nil is not checked, empty means an empty body.
	Exact []byte
	// Contains occurs somewhere in the body.
	Contains []byte
	// Pattern matches somewhere in the body.
	Pattern *regexp.Regexp
}

// wanted reports whether there is anything to check.
func (c Check) wanted() bool {
	return c.Exact != nil || len(c.Contains) > 0 || c.Pattern != nil
}

// holds reports whether a body passes.
func (c Check) holds(body []byte) bool {
	if c.Exact != nil && !bytes.Equal(c.Exact, body) {
		return false
	}
	if len(c.Contains) > 0 && !bytes.Contains(body, c.Contains) {
		return false
	}
	return c.Pattern == nil || c.Pattern.Match(body)
}

const (
	// DefaultTimeout is how long connecting may take, and how long an answer.
	DefaultTimeout = 30 * time.Second
	// userAgent names the program to the server.
	userAgent = "rtcompare"
)
