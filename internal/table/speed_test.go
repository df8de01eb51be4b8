package table_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/table"
)

// bigInput writes 100,000 result lines with four measurements.
func bigInput(names int, factor float64) string {
	r := rand.New(rand.NewPCG(uint64(names), 1))
	var text strings.Builder
	text.WriteString("goos: linux\ngoarch: amd64\npkg: example.com/big\ncpu: Example\n")
	for i := range names {
		for range 100_000 / names {
			ns := series(r, 1, 1000*factor, .03)[0]
			fmt.Fprintf(&text, "BenchmarkName%d/size=%d-8   \t%8d\t%10.1f ns/op\t%8.2f MB/s\t%8d B/op\t%8d allocs/op\n", i, i%7, 1000+i, ns, 80000/ns, 80, 1)
		}
	}
	return text.String()
}

// BenchmarkWholeComparison reads, arranges and judges 200,000 lines.
func BenchmarkWholeComparison(b *testing.B) {
	for _, names := range []int{500, 10_000} {
		b.Run(fmt.Sprintf("names=%d", names), func(b *testing.B) {
			old, new := bigInput(names, 1), bigInput(names, 1.01)
			for b.Loop() {
				s, err := arrange(b, table.Options{}, old, new)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Judge(table.JudgeOptions{Margin: .01}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(200_000*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlines/s")
		})
	}
}

// BenchmarkBenchstatNumbers reads, arranges and computes what benchstat shows.
func BenchmarkBenchstatNumbers(b *testing.B) {
	for _, names := range []int{500, 10_000} {
		b.Run(fmt.Sprintf("names=%d", names), func(b *testing.B) {
			old, new := bigInput(names, 1), bigInput(names, 1.01)
			for b.Loop() {
				s, err := arrange(b, table.Options{ZeroKeepsUnit: true}, old, new)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Benchstat(table.BenchstatOptions{Alpha: .05, Confidence: .95}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
