package load

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// Error is why one request failed.
type Error struct {
	// Label is short and the same for failures of one kind, so that they can
	// be counted: "timeout", "unexpected status 503".
	Label string
	// Detail says more; it may be empty.
	Detail string
	// early is set where the connection died before the first byte of an
	// answer, so that the request may be sent once more on another one.
	early bool
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Label
	}
	return e.Label + ": " + e.Detail
}

var (
	errNoAnswer        = &Error{Label: "no answer", Detail: "the server closed the connection", early: true}
	errTruncatedHeader = &Error{Label: "truncated header", Detail: "the server closed the connection"}
	errTruncatedBody   = &Error{Label: "truncated body", Detail: "the server closed the connection"}
	errTimeout         = &Error{Label: "timeout", Detail: "no complete answer in time"}
	errConnectTimeout  = &Error{Label: "connect timeout"}
	errBodyTooLong     = &Error{Label: "body too long", Detail: "a body of more than 64 MiB cannot be checked"}
	errCheck           = &Error{Label: "body check failed"}
	errCancelled       = &Error{Label: "cancelled"}
)

func malformed(what string) *Error { return &Error{Label: "malformed answer", Detail: what} }

// classify gives an error of the network its label. begun says that a byte of
// the answer was there already.
func classify(err error, begun bool) *Error {
	var (
		number      syscall.Errno
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		ours        *Error
	)
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(err, context.Canceled):
		return errCancelled
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return errTimeout
	case errors.As(err, &dns):
		return &Error{Label: "address not found", Detail: err.Error()}
	case errors.As(err, &certificate):
		return &Error{Label: "certificate not accepted", Detail: err.Error()}
	case errors.As(err, &number):
		return fromErrno(number, begun)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if begun {
			return errTruncatedBody
		}
		return errNoAnswer
	}
	return &Error{Label: err.Error(), early: !begun}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// fromErrno labels an error of the operating system.
func fromErrno(number syscall.Errno, begun bool) *Error {
	switch number {
	case syscall.ECONNREFUSED:
		return &Error{Label: "connection refused"}
	case syscall.ETIMEDOUT:
		return errTimeout
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED:
		return &Error{Label: "connection reset", early: !begun}
	case syscall.EMFILE, syscall.ENFILE:
		return &Error{Label: "too many open files", Detail: "raise the limit (ulimit -n) or use fewer connections"}
	case syscall.EADDRNOTAVAIL:
		return &Error{Label: "no local port left", Detail: "keep connections open, or send fewer requests"}
	}
	return &Error{Label: number.Error(), early: !begun}
}

// isEnd reports whether an error of reading is just the end of the stream.
func isEnd(err error) bool { return errors.Is(err, io.EOF) }
