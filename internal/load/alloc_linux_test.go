package load

import (
	"net"
	"runtime"
	"testing"
)

// tinyServer answers every read with the same bytes and allocates nothing while
// it does.
func tinyServer(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				answer, buffer := []byte(okAnswer), make([]byte, 4096)
				for {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					if _, err := conn.Write(answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String() + "/"
}

func TestEventLoopsAllocateNothing(t *testing.T) {
	g := newGenerator(t, Target{URLs: []string{tinyServer(t)}}, Options{Concurrency: 8})
	mustRun(t, g, 8, 1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustRun(t, g, 8, 20000)
	runtime.ReadMemStats(&after)
	// A run itself allocates a little, requests nothing.
	if objects := after.Mallocs - before.Mallocs; objects > 1000 {
		t.Errorf("%d objects allocated for 20000 requests", objects)
	}
}

func BenchmarkEventLoop(b *testing.B) {
	for name, options := range map[string]Options{
		"loop":       {Concurrency: 64, Loops: 1},
		"goroutines": {Concurrency: 64, Portable: true},
	} {
		b.Run(name, func(b *testing.B) {
			g := newGenerator(b, Target{URLs: []string{tinyServer(b)}}, options)
			mustRun(b, g, 64, 1000)
			b.ReportAllocs()
			b.ResetTimer()
			result, err := g.Run(b.Context(), 64, int64(b.N))
			if err != nil {
				b.Fatal(err)
			}
			if result.CPU >= 0 {
				b.ReportMetric(float64(result.CPU.Nanoseconds())/float64(result.Counted.Requests+result.Outside.Requests), "cpu-ns/op")
			}
		})
	}
}
