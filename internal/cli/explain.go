package cli

import (
	"context"
	"errors"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	httparm "github.com/rtcompare/rtcompare/internal/arm/http"
	"github.com/rtcompare/rtcompare/internal/engine"
)

// explain gives the error of a run its exit code and says what to do.
func (a *App) explain(err error) error {
	var f *failure
	var request *httparm.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return err
	case errors.Is(err, context.Canceled):
		return quietExit(ExitInterrupted, "interrupted")
	case errors.As(err, &request):
		return candidate(err, "--ignore-failure counts failed requests instead of stopping")
	case errors.Is(err, engine.ErrTooShort):
		return candidate(err, "fix the number of requests with --requests")
	}
	if command.Failed(err) {
		return candidate(err, "") // it says itself what to do
	}
	return &failure{code: ExitNoAnswer, err: err}
}
