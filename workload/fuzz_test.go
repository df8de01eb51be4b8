package workload

import (
	"testing"
)

// FuzzCycle draws configurations and lets Check judge what comes of them.
func FuzzCycle(f *testing.F) {
	f.Add(uint64(0), uint16(100), 2.0, 16, 0, uint8(0), 0.0, 0.0, 0.0)
	f.Add(uint64(1), uint16(1), 1.5, 1, 1, uint8(1), 0.5, 1.0, 0.25)
	f.Add(uint64(2), uint16(700), 3.0, 40, 9, uint8(0b1110_0110), 0.99, 3.0, 1.0)
	f.Add(uint64(3), uint16(50), 1.01, 1<<30, 1<<30, uint8(0b0101_1011), 0.2, 0.1, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, target uint16, ratio float64, burst, live int, choices uint8, churn, lookups, misses float64) {
		if ratio > 8 || lookups > 8 {
			return // valid, but long
		}
		c := Config{
			Seed: seed, Ratio: ratio, MaxBurst: burst, LiveTarget: live, PermanentChurn: churn, Lookups: lookups, MissRate: misses,
			Victims: Policy(choices & 3), ChurnVictims: Policy(choices >> 2 & 3), Keys: KeyOrder(choices >> 4 & 3), Access: Access(choices >> 6),
		}
		if choices&1 != 0 {
			c.Updates, c.Scans, c.ClusterSize = lookups/2, lookups/4, 1+int(seed%100)
		}
		n := int(target % 1500)
		if ops, err := Build(n, c); err == nil {
			if err := Check(ops, nil, upTo(n)); err != nil {
				t.Errorf("build of %d, %+v: %v", n, c, err)
			}
		}
		ops, err := Cycle(n, c)
		if err != nil {
			return
		}
		if err := Check(ops, upTo(n), upTo(n)); err != nil {
			t.Errorf("cycle of %d, %+v: %v", n, c, err)
		}
		sorted, _ := sortByKind(ops, kindWindow(n))
		if err := Check(sorted, upTo(n), upTo(n)); err != nil {
			t.Errorf("cycle of %d sorted by kind, %+v: %v", n, c, err)
		}
		parts := 1 + int(seed%5)
		if streams, err := CycleParts(n, parts, c); err == nil {
			if err := Check(inTurns(streams), upTo(n), upTo(n)); err != nil {
				t.Errorf("%d parts of a cycle of %d, %+v: %v", parts, n, c, err)
			}
		}
	})
}
