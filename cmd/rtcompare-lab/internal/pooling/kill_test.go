package pooling

import (
	"errors"
	"runtime"
	"testing"

	"github.com/rtcompare/rtcompare"
)

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	table, err := Kill(KillSetup{Context: t.Context(), Seed: 3, Rounds: 2})
	if runtime.GOOS != "linux" {
		if !errors.Is(err, errNoKill) {
			t.Errorf("error %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range table.Bars {
		if b.Failed() {
			t.Errorf("%s: %v", b.Name, b.Measured)
		}
	}
}

func TestKillJudges(t *testing.T) {
	whole := account{Done: true}
	for seed := range uint64(6) {
		whole.Seeds = append(whole.Seeds, seed+1)
	}
	fill(t, &whole)
	if !sameResult(theParent, whole, account{}, whole) {
		t.Error("the same result is another one")
	}
	other := whole
	other.Seeds = append([]uint64{99}, whole.Seeds[1:]...)
	fill(t, &other)
	if sameResult(theParent, whole, account{}, other) {
		t.Error("another seed is the same result")
	}
	other.Replaced = 1
	if !sameResult(aChild, whole, other, other) || sameResult(aChild, whole, whole, other) {
		t.Error("a replaced process is misjudged")
	}
	forged := whole
	forged.Mean += 1e-9
	if sameResult(theParent, forged, account{}, forged) {
		t.Error("a result that does not follow from the seeds passes")
	}
	if n := lostBetween(whole, other); n != 6 {
		t.Errorf("%d lost where nothing was taken from the journal", n)
	}
	other.Resumed = 6
	if n := lostBetween(whole, other); n != 1 {
		t.Errorf("%d lost where one seed is missing", n)
	}
}

// fill gives an account what follows from its seeds.
func fill(t *testing.T, a *account) {
	t.Helper()
	a.LogRatios = nil
	var next int
	z := multiprocSizing()
	z.first, z.most = len(a.Seeds), len(a.Seeds)
	s := z.run(func() (r rtcompare.Report, err error) {
		r = scripted(a.Seeds[next], scriptedSpread)
		a.LogRatios = append(a.LogRatios, r.Decision.LogRatio)
		next++
		return r, nil
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	a.Mean, a.Low, a.High = s.pooled.Decision.LogRatio, s.pooled.Decision.Low, s.pooled.Decision.High
}
