package workload

import (
	"fmt"
	"testing"
)

func BenchmarkGenerate(b *testing.B) {
	configs := []struct {
		name   string
		config Config
	}{
		{"default", Config{}},
		{"FIFO", Config{Victims: FIFO}},
		{"LIFO", Config{Victims: LIFO}},
		{"Adjacent", Config{Victims: Adjacent}},
		{"Clustered", Config{Keys: Clustered}},
		{"churn", Config{PermanentChurn: 0.2}},
		{"lookups", Config{Lookups: 1, MissRate: 0.25}},
		{"Zipf", Config{Lookups: 1, Access: Zipf}},
		{"Hot", Config{Lookups: 1, Access: Hot}},
		{"all", Config{Lookups: 1, MissRate: .1, Updates: 1, Scans: .1, Access: Hot, PermanentChurn: .1}},
	}
	for _, c := range configs {
		for _, phase := range []string{"Cycle", "Build"} {
			b.Run(fmt.Sprintf("%s/%s", phase, c.name), func(b *testing.B) {
				f := Cycle
				if phase == "Build" {
					f = Build
				}
				target := 5_000_000
				if c.config.reads() > 0 {
					target = 2_500_000
				}
				total := 0
				b.ReportAllocs()
				for b.Loop() {
					ops, err := f(target, c.config)
					if err != nil {
						b.Fatal(err)
					}
					total += len(ops)
				}
				b.ReportMetric(float64(total)/b.Elapsed().Seconds()/1e6, "Mops/s")
			})
		}
	}
}
