package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/rtcompare/rtcompare/internal/load"
)

// loadReport is what the load generator by itself prints.
type loadReport struct {
	// PerSecond is the rate of the counted requests, Requests all that were
	// sent, in runs of every kind.
	PerSecond float64 `json:"per_second"`
	Requests  int64   `json:"requests"`
}

// runLoad loads a server for about a given time from one event loop.
func runLoad(out io.Writer, o ChildOptions) error {
	ctx := context.Background()
	generator, err := load.New(ctx, load.Target{URLs: []string{o.URL}}, load.Options{Concurrency: o.Concurrency, Loops: 1})
	if err != nil {
		return err
	}
	defer func() { _ = generator.Close() }()
	var report loadReport
	var counted int64
	var wall time.Duration
	// Every run is sized by the rate of those before it.
	for n := int64(2000); wall < o.For*9/10; {
		result, err := generator.Run(ctx, int64(o.Concurrency), n)
		if err != nil {
			return err
		}
		if result.Counted.Failed+result.Outside.Failed > 0 {
			return fmt.Errorf("requests to %s failed: %v", o.URL, result.Counted.Examples)
		}
		counted, wall = counted+result.Counted.Requests, wall+result.Wall
		report.Requests += result.Counted.Requests + result.Outside.Requests
		n = max(100, int64(float64(o.For-wall)/float64(wall)*float64(counted)))
	}
	report.PerSecond = float64(counted) / wall.Seconds()
	return json.NewEncoder(out).Encode(report)
}
