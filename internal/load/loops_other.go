//go:build !linux

package load

// newLoops takes a goroutine per connection where there are no event loops.
func newLoops(p *plan) (driver, error) { return newWorkers(p, newStream), nil }
