package fn

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
)

func TestNewBuildsAndReleases(t *testing.T) {
	j := &journal{}
	f := j.function()
	plain := f.Batch
	f.Batch = func(uint64) { t.Error("Batch ran although New is set") }
	built := 0
	f.New = func() (func(uint64), func()) {
		built++
		j.step("new", 5)
		return plain, func() { j.step("release", 5) }
	}
	for range 2 {
		session := open(t, f)
		sample := unread()
		if err := session.Do(context.Background(), engine.Request{N: 10}, &sample); err != nil || sample.Wall != 70 {
			t.Errorf("%d ns, error %v", sample.Wall, err)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		// Closing again releases nothing again.
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
	want := strings.TrimSpace(strings.Repeat("new setup batch teardown release ", 2))
	if j.text() != want || built != 2 {
		t.Errorf("ran %s, want %s", j.text(), want)
	}
}

func TestReleaseMayBeNil(t *testing.T) {
	j := &journal{}
	f := j.function()
	f.New = func() (func(uint64), func()) { return func(uint64) {}, nil }
	if err := open(t, f).Close(); err != nil {
		t.Error(err)
	}
}

func TestNewFailures(t *testing.T) {
	released := false
	tests := []struct {
		name string
		new  func() (func(uint64), func())
		want string
	}{
		{"panic", func() (func(uint64), func()) { panic("boom") }, "panicked in New: boom"},
		{"no batch", func() (func(uint64), func()) { return nil, func() { released = true } }, "New returned no batch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := &journal{}
			f := j.function()
			f.New = tt.new
			session, err := f.Open(context.Background(), engine.Slot{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "candidate A") {
				t.Errorf("error %v", err)
			}
			if session != nil {
				t.Error("a session beside an error")
			}
		})
	}
	if !released {
		t.Error("what came with a missing batch was not released")
	}
}

func TestAPanicInReleaseIsAnError(t *testing.T) {
	j := &journal{}
	f := j.function()
	f.New = func() (func(uint64), func()) { return func(uint64) {}, func() { panic("boom") } }
	err := open(t, f).Close()
	var p *PanicError
	if !errors.As(err, &p) || p.Where != "release" {
		t.Errorf("error %v", err)
	}
}

func TestSettleCollects(t *testing.T) {
	var before, after runtime.MemStats
	j := &journal{}
	session := open(t, j.function())
	runtime.ReadMemStats(&before)
	if err := session.Settle(context.Background()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if after.NumGC == before.NumGC {
		t.Error("no collection")
	}
}
