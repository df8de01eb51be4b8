package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// watch is a clock that a test moves.
type watch struct {
	mu  sync.Mutex
	now time.Time
}

func newWatch() *watch { return &watch{now: time.Unix(1_000_000, 0)} }

func (w *watch) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) move(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// onScreen returns live lines on a screen.
func onScreen(t *testing.T, width, height int) (*Live, *screen, *watch) {
	s, w := newScreen(t, width, height), newWatch()
	return NewLive(t.Context(), s, LiveOptions{Escapes: true, Size: s.size, Now: w.Now}), s, w
}

func TestLive(t *testing.T) {
	live, s, clock := onScreen(t, 20, 10)
	fmt.Fprintln(s, "before")
	live.Update("one", "two")
	s.expect("before\none\ntwo")
	if !s.hidden {
		t.Error("the cursor can be seen while lines move")
	}
	clock.move(time.Second)
	live.Update("longer than the screen is wide", "2", "three")
	s.expect("before\nlonger than the sc…\n2\nthree")
	clock.move(time.Second)
	live.Update("short")
	s.expect("before\nshort")
	clock.move(time.Second)
	live.Update()
	s.expect("before")
	clock.move(time.Second)
	live.Update("again\nand\tagain")
	s.expect("before\nagain and again")
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	fmt.Fprintln(s, "after")
	s.expect("before\nafter")
	if s.hidden {
		t.Error("the cursor is not given back")
	}
	live.Update("too late")
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	s.expect("before\nafter")
}

// TestRate checks that lines are drawn at most ten times a second, that the last
// drawing shows the newest lines, and that nothing is lost in between.
func TestRate(t *testing.T) {
	live, s, clock := onScreen(t, 20, 10)
	for i := range 1000 { // two seconds
		live.Update(fmt.Sprint("step ", i))
		clock.move(2 * time.Millisecond)
	}
	if s.writes < 18 || s.writes > 21 {
		t.Errorf("%d drawings in two seconds, want about 20", s.writes)
	}
	clock.move(time.Second)
	live.Update("last")
	s.expect("last")
	clock.move(-time.Hour) // the clock is set back
	live.Update("back")
	s.expect("back")
}

func TestAbove(t *testing.T) {
	live, s, clock := onScreen(t, 30, 5)
	results, messages := live.Above(s), live.Above(s)
	live.Update("working", "2 of 9")
	clock.move(time.Second)
	fmt.Fprint(results, "first result\nbegun")
	s.expect("first result\nworking\n2 of 9")
	clock.move(time.Second)
	fmt.Fprint(messages, "a warning\n")
	s.expect("first result\na warning\nworking\n2 of 9")
	clock.move(time.Second)
	fmt.Fprint(results, " and ended\n")
	s.expect("first result\na warning\nbegun and ended\nworking\n2 of 9")
	before := s.writes
	for range 50 { // the lines are not drawn again for each of these
		fmt.Fprintln(messages, "x")
	}
	if s.writes-before > 52 {
		t.Errorf("%d writes for 50 lines", s.writes-before)
	}
	fmt.Fprint(results, "no line end")
	if err := live.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(messages, "!")
	s.expect("first result\na warning\nbegun and ended\n" + strings.Repeat("x\n", 50) + "no line end!")
}

// TestScroll writes more lines than the screen has, with live lines below.
func TestScroll(t *testing.T) {
	live, s, clock := onScreen(t, 30, 4)
	out := live.Above(s)
	var want []string
	for i := range 20 {
		clock.move(time.Second)
		live.Update(fmt.Sprint("working ", i), "…")
		clock.move(time.Second)
		fmt.Fprintln(out, "line", i)
		want = append(want, fmt.Sprint("line ", i))
	}
	s.expect(strings.Join(want, "\n") + "\nworking 19\n…")
	clock.move(time.Second)
	live.Update("1", "2", "3", "4", "5", "6") // only three fit
	s.expect(strings.Join(want, "\n") + "\n1\n2\n3")
	live.Close()
	s.expect(strings.Join(want, "\n"))
}

func TestCancellation(t *testing.T) {
	s, clock := newScreen(t, 20, 5), newWatch()
	ctx, cancel := context.WithCancel(t.Context())
	live := NewLive(ctx, s, LiveOptions{Escapes: true, Size: s.size, Now: clock.Now})
	fmt.Fprintln(s, "before")
	live.Update("working", "hard")
	cancel()
	for deadline := time.Now().Add(10 * time.Second); s.text() != "before" && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	s.expect("before")
	if live.Close(); s.hidden {
		t.Error("the cursor is not given back")
	}
	late := NewLive(ctx, s, LiveOptions{Escapes: true, Size: s.size, Now: clock.Now})
	late.Close()
	s.expect("before")
}

// TestPiped checks that a pipe gets plain lines, few of them, and no sequences.
func TestPiped(t *testing.T) {
	var out bytes.Buffer
	clock := newWatch()
	live := NewLive(t.Context(), &out, LiveOptions{Now: clock.Now})
	above := live.Above(&out)
	green := Styles{Color: true}.Green
	for i := range 120 { // twelve seconds
		live.Update(green(fmt.Sprint("step ", i/10)), "details")
		clock.move(100 * time.Millisecond)
	}
	fmt.Fprintln(above, "result")
	clock.move(time.Minute)
	live.Update(green("step 10"), "nothing new")
	live.Close()
	if want := "step 5\nstep 10\nresult\n"; out.String() != want {
		t.Errorf("the pipe receives %q, want %q", out.String(), want)
	}
}

func TestQuiet(t *testing.T) {
	for _, escapes := range []bool{false, true} {
		var out bytes.Buffer
		clock := newWatch()
		live := NewLive(t.Context(), &out, LiveOptions{Quiet: true, Escapes: escapes, Now: clock.Now})
		clock.move(time.Hour)
		live.Update("working")
		fmt.Fprintln(live.Above(&out), "result")
		live.Close()
		if out.String() != "result\n" {
			t.Errorf("with quiet it writes %q", out.String())
		}
	}
}

func TestNilLive(t *testing.T) {
	var live *Live
	var out bytes.Buffer
	live.Update("x")
	fmt.Fprint(live.Above(&out), "y")
	if err := live.Close(); err != nil || out.String() != "y" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestNarrower draws on a terminal that is made narrower between drawings, in a
// way that wraps what is there.
func TestNarrower(t *testing.T) {
	live, s, clock := onScreen(t, 40, 10)
	s.width = 10
	fmt.Fprintln(s, "before")
	s.width = 40
	live.Update(strings.Repeat("a", 25), "b")
	narrow := newScreen(t, 10, 10)
	fmt.Fprint(narrow, "before\n"+strings.Repeat("a", 25)+"\nb") // what the terminal makes of it
	live.out, live.options.Size = narrow, narrow.size
	clock.move(time.Second)
	live.Update("cc")
	narrow.expect("before\ncc")
}

// brokenPipe fails every write.
type brokenPipe struct{ writes int }

func (p *brokenPipe) Write([]byte) (int, error) {
	p.writes++
	return 0, errors.New("broken pipe")
}

func TestBrokenPipe(t *testing.T) {
	pipe, clock := &brokenPipe{}, newWatch()
	live := NewLive(t.Context(), pipe, LiveOptions{Escapes: true, Now: clock.Now})
	for range 10 {
		clock.move(time.Second)
		live.Update("x")
	}
	if err := live.Close(); err == nil || pipe.writes != 1 {
		t.Errorf("error %v after %d writes, want one write", err, pipe.writes)
	}
	if _, err := live.Above(pipe).Write([]byte("x\n")); err == nil {
		t.Error("the error of the other writer is lost")
	}
}

// TestConcurrent is for the race detector, and checks that no line is torn.
func TestConcurrent(t *testing.T) {
	s := newScreen(t, 80, 1000)
	live := NewLive(t.Context(), s, LiveOptions{Escapes: true, Size: s.size})
	var group sync.WaitGroup
	for i := range 4 {
		out := live.Above(s)
		group.Go(func() {
			for range 100 {
				fmt.Fprint(out, "line of ")
				fmt.Fprintln(out, i)
				live.Update("working", "hard")
			}
		})
	}
	group.Wait()
	live.Close()
	lines := strings.Split(s.text(), "\n")
	for _, line := range lines {
		if len(line) != len("line of 0") || !strings.HasPrefix(line, "line of ") {
			t.Fatalf("a line reads %q", line)
		}
	}
	if len(lines) != 400 {
		t.Errorf("%d lines, want 400", len(lines))
	}
}
