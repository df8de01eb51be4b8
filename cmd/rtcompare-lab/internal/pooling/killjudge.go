package pooling

import (
	"slices"

	"github.com/rtcompare/rtcompare"
)

// lostBetween counts processes that a run had said to be finished, and that the
// resumed one did not take from the journal.
func lostBetween(before, after account) int {
	lost := max(0, len(before.Seeds)-after.Resumed)
	missing := 0
	for _, seed := range before.Seeds {
		if !slices.Contains(after.Seeds, seed) {
			missing++
		}
	}
	return max(lost, missing)
}

// sameResult reports whether the resumed run says what it has to. After the end
// of its parent that is what the run would have said that nobody touched. Where a
// child was killed, its seed is another one, and perhaps the size with it: the
// result is then what the run itself has said in the end, all but one of the
// processes are those of the untouched run, and the rest follows from the seeds.
func sameResult(who victim, want, before, after account) bool {
	if !after.Done || !followsFromSeeds(after) {
		return false
	}
	if before.Done && !sameAnswer(before, after) {
		return false
	}
	if who == theParent || after.Replaced == 0 {
		return sameAnswer(want, after)
	}
	others := 0
	for i := range min(len(want.Seeds), len(after.Seeds)) {
		if want.Seeds[i] != after.Seeds[i] {
			others++
		}
	}
	return before.Done && others <= 1 && after.Lost == 0
}

func sameAnswer(a, b account) bool {
	return slices.Equal(a.Seeds, b.Seeds) && slices.Equal(a.LogRatios, b.LogRatios) &&
		a.Mean == b.Mean && a.Low == b.Low && a.High == b.High && a.FirstStage == b.FirstStage && a.Precise == b.Precise
}

// followsFromSeeds makes the reports again and pools them in the same way.
func followsFromSeeds(a account) bool {
	var reports []rtcompare.Report
	for i, seed := range a.Seeds {
		r := scripted(seed, scriptedSpread)
		if i >= len(a.LogRatios) || r.Decision.LogRatio != a.LogRatios[i] {
			return false
		}
		reports = append(reports, r)
	}
	pooled, err := pool(reports, a.FirstStage)
	return err == nil && len(a.LogRatios) == len(reports) &&
		pooled.Decision.LogRatio == a.Mean && pooled.Decision.Low == a.Low && pooled.Decision.High == a.High
}
