package view

import (
	"fmt"
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
)

// BenchRow is one line of the table of two versions.
type BenchRow struct {
	// Name is what is shown, such as "Encode/digits-8", Unit what was compared.
	Name, Unit string
	Base, New  string
	// Change is the difference with its interval, Verdict what follows.
	Change, Verdict string
	// Mood is "worse", "better", "unknown" or empty, for colours.
	Mood string
}

// TimeRow words the judged time of a benchmark. layouts is how many layouts
// each side was built in.
func TimeRow(name string, base, changed float64, j record.Judgement, layouts int) BenchRow {
	row := BenchRow{Name: name, Unit: "time", Base: Nanoseconds(base), New: Nanoseconds(changed), Change: changeText(j)}
	margin := levelPercent(math.Expm1(j.Margin))
	switch j.Verdict {
	case record.Slower:
		row.Verdict, row.Mood = "SLOWER", "worse"
		if j.Low > j.Margin {
			row.Verdict += ", by more than " + margin
		}
	case record.Faster:
		row.Verdict, row.Mood = "faster", "better"
	case record.Equivalent:
		row.Verdict = "equal within " + margin
	case record.Unmeasurable:
		row.Verdict, row.Mood = "cannot be told", "unknown"
	default:
		row.Verdict, row.Mood = undecidedLayouts(j, layouts), "unknown"
	}
	if j.WithinMargin {
		row.Verdict, row.Mood = strings.ToLower(row.Verdict)+", by less than "+margin, ""
	}
	return row
}

// fewestLayouts is judge.FewestLayouts, said in words here.
const fewestLayouts = 4

func undecidedLayouts(j record.Judgement, layouts int) string {
	if layouts < fewestLayouts {
		return fmt.Sprintf("these %s differ; the code needs %d or more", counted(layouts, "build", "builds"), fewestLayouts)
	}
	text := fmt.Sprintf("undecided: layout ±%s", Percent(math.Expm1(j.IdenticalSpread)))
	if j.UnitsNeeded > 0 {
		text += fmt.Sprintf("; needs %d layouts", j.UnitsNeeded)
	}
	return text
}

func changeText(j record.Judgement) string {
	change := SignedPercent(math.Expm1(j.LogRatio))
	if math.IsInf(j.Low, 0) || math.IsInf(j.High, 0) || math.Abs(j.Low) > 700 || math.Abs(j.High) > 700 {
		return change + " [no bounds]"
	}
	return fmt.Sprintf("%s [%s %s]", change, bareSigned(j.Low), bareSigned(j.High))
}

// bareSigned is a signed percentage without its sign of unit.
func bareSigned(logRatio float64) string {
	return strings.TrimSuffix(SignedPercent(math.Expm1(logRatio)), "%")
}

// ExactRow words a count that was compared as a number: allocations or bytes.
// ok is false where nothing is worth a line.
func ExactRow(name, unit string, base, changed float64) (row BenchRow, ok bool) {
	if base < 0 || changed < 0 || nearlyEqual(base, changed, unit) {
		return BenchRow{}, false
	}
	row = BenchRow{Name: name, Unit: unit, Base: Count(base), New: Count(changed)}
	if unit == "B/op" {
		row.Base, row.New = Bytes(base), Bytes(changed)
	}
	difference := changed - base
	size := Count(math.Abs(difference))
	if unit == "B/op" {
		size = Bytes(math.Abs(difference))
	}
	row.Change, row.Verdict, row.Mood = "+"+size, "more", "worse"
	if difference < 0 {
		row.Change, row.Verdict, row.Mood = "-"+size, "less", "better"
	}
	return row, true
}

// nearlyEqual allows for what the runtime itself allocates now and then, spread
// over many operations.
func nearlyEqual(a, b float64, unit string) bool {
	difference, stray := math.Abs(a-b), 0.01
	if unit == "B/op" {
		stray = 1
	}
	return difference < stray || difference < 0.005*max(a, b)
}
