package spawn

import (
	"context"
	"errors"
	"fmt"
)

// stopped wraps the context's error, and its cause where that is another one.
func stopped(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("the command was stopped: %w", cause)
	}
	return fmt.Errorf("the command was stopped: %w: %w", err, cause)
}
