package gobench

import "testing"

func TestAnswersAreRead(t *testing.T) {
	e, err := readEnding("10 200 3 a=b=1.5 x/op=NaN")
	if err != nil || e.n != 10 || e.nanoseconds != 200 || e.bytes != 3 || e.metric("a=b") != 1.5 || e.metric("none") == e.metric("none") {
		t.Errorf("read %+v, %v", e, err)
	}
	for _, wrong := range []string{"", "1 2", "1 2 x", "1 2 3 a", "1 2 3 =1", "1 2 3 a=x"} {
		if e, err := readEnding(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, e)
		}
	}
}

func FuzzReadEnding(f *testing.F) {
	f.Add("10 200 3 a=1.5")
	f.Fuzz(func(t *testing.T, answer string) {
		if e, err := readEnding(answer); err == nil && e.metrics == nil {
			t.Errorf("%q is read as %+v", answer, e)
		}
	})
}
