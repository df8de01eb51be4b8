package gobench

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/source"
)

func TestZZTry(t *testing.T) {
	w := theWorkshop(t)
	dir := os.Getenv("TRY_DIR")
	store := source.Store{Dir: dir, Cache: cache, Env: w.env, Go: "go"}
	v, err := store.Get(t.Context(), source.Spec{Kind: source.Directory, Value: dir})
	if err != nil {
		t.Fatal(err)
	}
	ps, failed, err := w.builder.Packages(t.Context(), v, os.Getenv("TRY_PKG"))
	t.Log(len(ps), failed, err)
	for _, p := range ps {
		start := time.Now()
		d, err := w.builder.Discover(t.Context(), gobuild.Request{Version: v, Package: p, Layout: 1, Driver: gobuild.Pausing}, gobuild.Listing{Env: w.env, Timeout: time.Minute, Pattern: os.Getenv("TRY_BENCH")})
		t.Log(p.ImportPath, len(d.Found), d.NotRun, d.KeepPaths, err, time.Since(start))
		for _, f := range d.Found {
			start := time.Now()
			b := &Benchmark{Name: f.Name, Version: "x", Env: w.env, Driver: gobuild.Pausing, Placement: &Placement{CPUs: AllowedProcessors()}, Timeout: time.Minute,
				Binary: func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error) {
					return w.builder.Build(ctx, gobuild.Request{Version: v, Package: p, Layout: 1, Driver: driver})
				}}
			found, err := b.Probe(t.Context(), Trial{Batch: 200 * time.Microsecond, BenchTime: "50ms"})
			t.Logf("%s %+v %v %v", f.Name, found, err, time.Since(start).Round(time.Millisecond))
			if err == nil && found.Driver == gobuild.Pausing && f.Name == d.Found[0].Name {
				s, err := b.Open(t.Context(), engine.Slot{})
				if err != nil {
					t.Fatal(err)
				}
				var trips []time.Duration
				for range 2000 {
					var sample engine.Sample
					start := time.Now()
					if err := s.Do(t.Context(), engine.Request{N: 1}, &sample); err != nil {
						t.Fatal(err)
					}
					trips = append(trips, time.Since(start)-time.Duration(sample.Wall))
				}
				slices.Sort(trips)
				t.Log("round trip min, median", trips[0], trips[len(trips)/2])
				t.Log(s.Close())
			}
		}
	}
}
