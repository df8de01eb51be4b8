package conformance

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

var sink uint64

var kept []byte

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

func BenchmarkLoop(b *testing.B) {
	x := uint64(1)
	for b.Loop() {
		x = Work(1000, x)
	}
	sink = x
}

func BenchmarkLoopSetup(b *testing.B) {
	time.Sleep(5 * time.Millisecond)
	data, err := os.ReadFile("data/file.txt")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sink += Work(500, uint64(len(data)))
	}
}

func BenchmarkCount(b *testing.B) {
	x := uint64(1)
	for i := 0; i < b.N; i++ {
		x = Work(1000, x)
	}
	sink = x
}

func BenchmarkTree(b *testing.B) {
	for _, size := range []int{500, 1000} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			b.Run("loop", func(b *testing.B) {
				for b.Loop() {
					sink += Work(size, 1)
				}
			})
			b.Run("count [N]", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					sink += Work(size, 1)
				}
			})
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		x := uint64(1)
		for pb.Next() {
			x = Work(1000, x)
		}
		if x == 0 {
			panic("zero")
		}
	})
}

func BenchmarkReset(b *testing.B) {
	time.Sleep(2 * time.Millisecond)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink += Work(1000, 1)
	}
}

func BenchmarkStopStart(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		sink += Work(30000, 1)
		b.StartTimer()
		sink += Work(3000, 1)
	}
}

func BenchmarkBytes(b *testing.B) {
	b.SetBytes(4096)
	for b.Loop() {
		sink += Work(1000, 1)
	}
}

func BenchmarkAllocs(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		kept = make([]byte, 1024)
	}
}

func BenchmarkAllocsCount(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		kept = make([]byte, 1024)
	}
}

func BenchmarkMetricLoop(b *testing.B) {
	total := 0
	for b.Loop() {
		total += 3
		sink += Work(500, 1)
	}
	b.ReportMetric(float64(total)/float64(b.N), "things/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

func BenchmarkMetricCount(b *testing.B) {
	total := 0
	for i := 0; i < b.N; i++ {
		total += 3
		sink += Work(500, 1)
	}
	b.ReportMetric(float64(total)/float64(b.N), "things/op")
}

func BenchmarkOwnTime(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Work(500, 1)
	}
	b.ReportMetric(12345, "ns/op")
}

func BenchmarkCleanup(b *testing.B) {
	b.Cleanup(func() { sink++ })
	for b.Loop() {
		sink += Work(1000, 1)
	}
}

func BenchmarkGrows(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Work(10+int(math.Sqrt(float64(b.N))), 1)
	}
}

func BenchmarkOwnLoopTime(b *testing.B) {
	for b.Loop() {
		sink += Work(500, 1)
	}
	b.ReportMetric(12345, "ns/op")
}

// BenchmarkAlone fails in a process that has a pipe beside its three streams.
func BenchmarkAlone(b *testing.B) {
	if target, err := os.Readlink("/proc/self/fd/4"); err == nil && strings.HasPrefix(target, "pipe:") {
		b.Fatal("somebody is listening")
	}
	for b.Loop() {
		sink += Work(100, 1)
	}
}

func BenchmarkSkip(b *testing.B) {
	b.Skip("not today")
}

func BenchmarkFail(b *testing.B) {
	b.Fatal("broken from the start")
}

func BenchmarkFailLate(b *testing.B) {
	done := 0
	for b.Loop() {
		if done++; done > 100 {
			b.Fatal("broken after a while")
		}
		sink += Work(100, 1)
	}
}

func BenchmarkFailLateCount(b *testing.B) {
	if b.N > 100 {
		b.Error("too many for me")
	}
	for i := 0; i < b.N; i++ {
		sink += Work(100, 1)
	}
}

func BenchmarkFailAfter(b *testing.B) {
	for b.Loop() {
		sink += Work(100, 1)
	}
	if b.N > 100 {
		b.Fatal("the result is wrong")
	}
}

func BenchmarkPanic(b *testing.B) {
	done := 0
	for b.Loop() {
		if done++; done > 100 {
			panic("oh no")
		}
		sink += Work(100, 1)
	}
}

func BenchmarkExit(b *testing.B) {
	done := 0
	for b.Loop() {
		if done++; done > 100 {
			os.Exit(7)
		}
		sink += Work(100, 1)
	}
}

func BenchmarkHang(b *testing.B) {
	done := 0
	for b.Loop() {
		if done++; done > 100 {
			time.Sleep(time.Hour)
		}
		sink += Work(100, 1)
	}
}

func BenchmarkChatty(b *testing.B) {
	fmt.Println("hello from the benchmark")
	b.Log("a log line")
	fmt.Fprint(os.Stderr, "and no line end")
	for b.Loop() {
		sink += Work(1000, 1)
	}
}

func BenchmarkLeak(b *testing.B) {
	for b.Loop() {
		sink += Work(1000, 1)
	}
	for range 3 {
		go func() { select {} }()
	}
}
