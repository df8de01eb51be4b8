package rtcompare

import (
	"errors"
	"io"
	"maps"

	"github.com/rtcompare/rtcompare/internal/record"
)

// WriteRecord writes everything that the comparison measured as JSON lines: a
// head with the plan and the machine, a line per unit with every batch in
// measured order as integer nanoseconds, and the judgements. Infinite bounds
// are written as the largest finite number. [ReadRecord] reads it. A report
// that was put together by hand has no record, which is an error.
func (r Report) WriteRecord(out io.Writer) error {
	if r.evidence == nil {
		return errors.New("this report holds no measurements: it was not made by Compare")
	}
	head := r.evidence.head
	if r.Origin != (Origin{}) {
		plan := maps.Clone(head.Plan)
		if plan == nil {
			plan = make(map[string]any)
		}
		plan["origin"] = r.Origin
		head.Plan = plan
	}
	w, err := record.NewWriter(out, head)
	if err != nil {
		return err
	}
	for _, unit := range r.evidence.units {
		if err := w.Unit(unit); err != nil {
			return err
		}
	}
	for _, judgement := range r.evidence.judgements {
		if err := w.Judgement(judgement); err != nil {
			return err
		}
	}
	return nil
}
