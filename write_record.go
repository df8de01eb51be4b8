package rtcompare

import (
	"errors"
	"io"

	"github.com/rtcompare/rtcompare/internal/record"
)

// WriteRecord writes everything that the comparison measured as JSON lines: a
// head with the plan and the machine, a line per unit with every batch in
// measured order as integer nanoseconds, and the judgements. Infinite bounds
// are written as the largest finite number. A report that was put together by
// hand has no record, which is an error.
func (r Report) WriteRecord(out io.Writer) error {
	if r.evidence == nil {
		return errors.New("this report holds no measurements: it was not made by Compare")
	}
	w, err := record.NewWriter(out, r.evidence.head)
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
