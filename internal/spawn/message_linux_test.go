package spawn

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

func sampleRequest() request {
	return request{
		path: "/bin/x", argv: []string{"x", "", "two words"}, env: []string{"A=b"}, dir: "/tmp", cpus: []int{0, 3},
		stdout: stream{Head, 1 << 40}, stderr: stream{Tail, 100}, timeout: time.Second, grace: 2, keep: true, hasStdin: true,
	}
}

func sampleReply() reply {
	r := reply{errno: 2, place: atPipe, stdout: kept{size: 7, cut: true}, stderr: kept{bytes: []byte("why")}}
	for i, n := range r.numbers() {
		*n = int64(i*i*i) - 1
	}
	r.exit.Code, r.exit.Signal, r.exit.LeftBehind, r.exit.TimedOut = 137, 9, 2, true
	return r
}

func TestMessagesSurviveTheWay(t *testing.T) {
	for _, sent := range []request{{}, sampleRequest()} {
		if got, err := decodeRequest(sent.encode(nil)); err != nil || !reflect.DeepEqual(got, sent) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	answer := sampleReply()
	got, err := decodeReply(answer.encode(nil))
	got.stdout.bytes = nil // empty and none are the same
	if err != nil || !reflect.DeepEqual(got, answer) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCutMessagesAreRefused(t *testing.T) {
	r, a := sampleRequest(), sampleReply()
	request, answer := r.encode(nil), a.encode(nil)
	for n := range len(request) {
		if _, err := decodeRequest(request[:n]); err == nil {
			t.Errorf("a request cut after %d bytes was taken", n)
		}
	}
	for n := range len(answer) {
		if _, err := decodeReply(answer[:n]); err == nil {
			t.Errorf("an answer cut after %d bytes was taken", n)
		}
	}
	if _, err := decodeRequest(append(request, 0)); err == nil {
		t.Error("a request with more behind it was taken")
	}
}

func TestHeader(t *testing.T) {
	if kind, size, files, err := parseHeader(header(run, 12345, 2)); kind != run || size != 12345 || files != 2 || err != nil {
		t.Errorf("%v %v %v %v", kind, size, files, err)
	}
	for _, h := range [][headerSize]byte{header(run, mostPayload+1, 0), header(run, 0, mostFiles+1)} {
		if _, _, _, err := parseHeader(h); err == nil {
			t.Errorf("%v was taken", h)
		}
	}
}

func FuzzRequest(f *testing.F) {
	r := sampleRequest()
	f.Add(r.encode(nil))
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRequest(b)
		if err != nil {
			return
		}
		again, err := decodeRequest(r.encode(nil))
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("%+v became %+v, %v", r, again, err)
		}
	})
}

func FuzzReply(f *testing.F) {
	r := sampleReply()
	f.Add(r.encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeReply(b)
		if err != nil {
			return
		}
		if first := r.encode(nil); len(first) > 0 {
			again, err := decodeReply(first)
			if err != nil || !bytes.Equal(again.encode(nil), first) {
				t.Errorf("%+v became %+v, %v", r, again, err)
			}
		}
	})
}
