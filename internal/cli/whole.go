package cli

import (
	"context"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
)

// wholeRuns makes an arm whose operation is a whole run of many requests.
type wholeRuns struct {
	engine.Arm
	requests int64
}

// Open implements [engine.Arm].
func (w wholeRuns) Open(ctx context.Context, slot engine.Slot) (engine.Session, error) {
	session, err := w.Arm.Open(ctx, slot)
	return wholeSession{session, w.requests}, err
}

type wholeSession struct {
	engine.Session
	requests int64
}

// Do implements [engine.Session].
func (w wholeSession) Do(ctx context.Context, request engine.Request, s *engine.Sample) error {
	request.N, request.Lead = request.N*w.requests, 0
	return w.Session.Do(ctx, request, s)
}

// Report implements [engine.Reporter]: the record counts requests, not runs.
func (w wholeSession) Report(cell *record.Cell) error {
	cell.N *= w.requests
	if reporter, ok := w.Session.(engine.Reporter); ok {
		return reporter.Report(cell)
	}
	return nil
}
