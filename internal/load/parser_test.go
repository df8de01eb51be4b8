package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// parse feeds an answer in pieces of the given size and ends the connection.
func parse(answer []byte, piece int, head bool) (p parser, rest []byte, err *Error) {
	p.begin(head, true)
	for at := 0; at < len(answer); at += piece {
		data := answer[at:min(at+piece, len(answer))]
		left, err := p.feed(data)
		if err != nil {
			return p, nil, err
		}
		if p.state == complete {
			return p, answer[min(at+piece, len(answer))-len(left):], nil
		}
	}
	return p, nil, p.end()
}

func TestParserRefuses(t *testing.T) {
	tests := map[string]string{
		"empty line first":      "\r\nHTTP/1.1 200 OK\r\n\r\n",
		"version":               "HTTP/2.0 200 OK\r\n\r\n",
		"short":                 "HTTP/1.1\r\n\r\n",
		"status":                "HTTP/1.1 20x OK\r\n\r\n",
		"long status":           "HTTP/1.1 2000 OK\r\n\r\n",
		"low status":            "HTTP/1.1 099 OK\r\n\r\n",
		"no colon":              "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
		"no name":               "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
		"space before colon":    "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n",
		"folded":                "HTTP/1.1 200 OK\r\nA: b\r\n c: d\r\n\r\n",
		"length":                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
		"empty length":          "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
		"huge length":           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"two lengths":           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"encoding":              "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
		"chunk size":            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"no chunk size":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;a\r\n",
		"huge chunk":            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
		"long chunk":            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
		"long line":             "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 9000) + "\r\n\r\n",
		"long line without end": "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 9000),
		"many headers":          "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 257) + "\r\n",
		"many trailers":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("A: b\r\n", 257) + "\r\n",
		"many interim answers":  strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 17) + okAnswer,
	}
	for name, answer := range tests {
		for _, piece := range []int{1, 7, len(answer)} {
			if p, _, err := parse([]byte(answer), piece, false); err == nil || err.Label != "malformed answer" {
				t.Errorf("%s in pieces of %d: %v (status %d), want a malformed answer", name, piece, err, p.status)
			}
		}
	}
}

func TestParserLimitsAreJustAllowed(t *testing.T) {
	tests := map[string]string{
		"long line":            "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 8000) + "\r\nContent-Length: 0\r\n\r\n",
		"many headers":         "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 255) + "Content-Length: 0\r\n\r\n",
		"many interim answers": strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 16) + okAnswer,
		"equal lengths":        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
		"bare line feeds":      "HTTP/1.1 200\nContent-Length: 2\n\nok",
	}
	for name, answer := range tests {
		for _, piece := range []int{1, 7, len(answer)} {
			p, rest, err := parse([]byte(answer), piece, false)
			if err != nil || p.status != 200 || len(rest) != 0 || p.received != int64(len(answer)) {
				t.Errorf("%s in pieces of %d: %v, status %d, %d bytes left", name, piece, err, p.status, len(rest))
			}
		}
	}
}

func TestParserKeepsOff(t *testing.T) {
	p, rest, err := parse([]byte(okAnswer+"HTTP/1.1 500"), 1000, false)
	if err != nil || string(p.body) != "ok" || string(rest) != "HTTP/1.1 500" {
		t.Errorf("body %q, rest %q, error %v", p.body, rest, err)
	}
	if p, _, err := parse([]byte("HTTP/1.1 101 Switching Protocols\r\n\r\nanything"), 1000, false); err != nil || p.reusable {
		t.Errorf("a connection of another protocol is reusable: %v", err)
	}
}

// FuzzParser compares with net/http: where both accept an answer, they agree
// on it. It must not depend on the pieces in which the answer arrives either.
func FuzzParser(f *testing.F) {
	for _, answer := range []string{
		okAnswer,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.0 200 OK\r\nConnection: keep-alive, x\r\nTransfer-Encoding: chunked\r\n\r\nall of it",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nConnection: close\r\ncontent-length: 3\r\n\r\nabcd",
		"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 304\nA:b\n\n",
	} {
		f.Add([]byte(answer), uint8(3), false)
		f.Add([]byte(answer), uint8(200), true)
	}
	f.Fuzz(func(t *testing.T, answer []byte, piece uint8, head bool) {
		whole, rest, failure := parse(answer, max(1, len(answer)), head)
		pieces, restOfPieces, failureOfPieces := parse(answer, max(1, int(piece)), head)
		if (failure == nil) != (failureOfPieces == nil) {
			t.Fatalf("in one piece %v, in pieces %v", failure, failureOfPieces)
		}
		if failure != nil {
			return
		}
		if whole.status != pieces.status || !bytes.Equal(whole.body, pieces.body) || !bytes.Equal(rest, restOfPieces) || whole.reusable != pieces.reusable {
			t.Fatalf("in one piece %d %q, in pieces %d %q", whole.status, whole.body, pieces.status, pieces.body)
		}
		status, body, closes, err := standardParse(answer, head)
		if err != nil {
			return
		}
		if status != whole.status || !bytes.Equal(body, whole.body) {
			t.Fatalf("net/http reads %d %q, we %d %q", status, body, whole.status, whole.body)
		}
		if closes && whole.reusable {
			t.Fatalf("net/http would close the connection after %q", answer)
		}
	})
}

// standardParse reads an answer with net/http, interim answers skipped.
func standardParse(answer []byte, head bool) (status int, body []byte, closes bool, err error) {
	method := "GET"
	if head {
		method = "HEAD"
	}
	reader := bufio.NewReader(bytes.NewReader(answer))
	for {
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			return 0, nil, false, err
		}
		if response.StatusCode < 200 && response.StatusCode != 101 {
			continue
		}
		if response.StatusCode > 999 || response.StatusCode < 100 || !strings.HasPrefix(response.Proto, "HTTP/1.") {
			return 0, nil, false, errors.New("not ours")
		}
		if response.StatusCode == 101 {
			return 101, nil, true, nil
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return 0, nil, false, fmt.Errorf("body: %w", err)
		}
		return response.StatusCode, body, response.Close, nil
	}
}

func BenchmarkParser(b *testing.B) {
	answer := []byte("HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Tue, 01 Dec 2026 00:00:00 GMT\r\nContent-Type: text/plain\r\nContent-Length: 13\r\nConnection: keep-alive\r\n\r\nHello, World!")
	var p parser
	b.ReportAllocs()
	for b.Loop() {
		p.begin(false, false)
		if _, err := p.feed(answer); err != nil {
			b.Fatal(err)
		}
	}
}
