package fn

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
)

func TestPanicsAreErrors(t *testing.T) {
	tests := []struct {
		where, name, ran string
	}{
		{"Setup", "setup", "setup"},
		{"Batch", "batch", "setup batch teardown"},
		{"Teardown", "teardown", "setup batch teardown"},
	}
	for _, tt := range tests {
		t.Run(tt.where, func(t *testing.T) {
			j := &journal{panics: map[string]any{tt.name: "boom"}}
			sample := unread()
			err := open(t, j.function()).Do(context.Background(), engine.Request{N: 1, Batches: 2}, &sample)
			var p *PanicError
			if !errors.As(err, &p) {
				t.Fatalf("error %v", err)
			}
			if p.Where != tt.where || p.Value != "boom" || p.Label != `candidate A ("x")` {
				t.Errorf("panic in %s of %s: %v", p.Where, p.Label, p.Value)
			}
			for _, part := range []string{`candidate A ("x") panicked in ` + tt.where + ": boom", "fn.(*journal).step"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error does not say %q:\n%v", part, err)
				}
			}
			if j.text() != tt.ran {
				t.Errorf("ran %s, want %s", j.text(), tt.ran)
			}
		})
	}
}

func TestAPanicInTheBatchBeatsOneInTeardown(t *testing.T) {
	j := &journal{panics: map[string]any{"batch": "first", "teardown": "second"}}
	sample := unread()
	err := open(t, j.function()).Do(context.Background(), engine.Request{N: 1}, &sample)
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "first" {
		t.Errorf("error %v", err)
	}
}

func TestAPanicInTheLeadInEndsTheVisit(t *testing.T) {
	j := &journal{panics: map[string]any{"batch": "boom"}}
	sample := unread()
	err := open(t, j.function()).Do(context.Background(), engine.Request{N: 1, Lead: 5}, &sample)
	if err == nil || j.text() != "setup batch teardown" {
		t.Errorf("ran %s, error %v", j.text(), err)
	}
}

func TestPanicErrorUnwrapsErrors(t *testing.T) {
	j := &journal{panics: map[string]any{"batch": io.ErrUnexpectedEOF}}
	sample := unread()
	err := open(t, j.function()).Do(context.Background(), engine.Request{N: 1}, &sample)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if inner := errors.Unwrap(&PanicError{Value: "text"}); inner != nil {
		t.Errorf("a text unwraps to %v", inner)
	}
}

// escape takes what a batch would allocate.
var escape []byte

// A runtime error is an error, too.
func TestRuntimePanicsAreFound(t *testing.T) {
	j := &journal{}
	f := j.function()
	var none []int
	f.Batch = func(n uint64) { escape = make([]byte, none[n]) }
	sample := unread()
	err := open(t, f).Do(context.Background(), engine.Request{N: 3}, &sample)
	var failure runtime.Error
	if !errors.As(err, &failure) {
		t.Errorf("error %v", err)
	}
}
