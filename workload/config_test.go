package workload

import (
	"math"
	"strings"
	"testing"
)

func TestConfigErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name   string
		target int
		config Config
		names  string // what the error has to name
	}{
		{"no target", 0, Config{}, "target is 0"},
		{"negative target", -4, Config{}, "target is -4"},
		{"ratio NaN", 10, Config{Ratio: nan}, "Ratio is NaN"},
		{"ratio infinite", 10, Config{Ratio: inf}, "Ratio"},
		{"ratio below 1", 10, Config{Ratio: 0.99}, "Ratio is 0.99"},
		{"ratio negative", 10, Config{Ratio: -2}, "Ratio is -2"},
		{"burst", 10, Config{MaxBurst: -1}, "MaxBurst is -1"},
		{"live", 10, Config{LiveTarget: -1}, "LiveTarget is -1"},
		{"victims", 10, Config{Victims: 4}, "Victims is Policy(4)"},
		{"victims", 10, Config{Victims: -1}, "Victims"},
		{"churn victims", 10, Config{ChurnVictims: 4}, "ChurnVictims is Policy(4)"},
		{"keys", 10, Config{Keys: 3}, "Keys is KeyOrder(3)"},
		{"access", 10, Config{Access: 3}, "Access is Access(3)"},
		{"churn", 10, Config{PermanentChurn: 1}, "PermanentChurn is 1"},
		{"churn", 10, Config{PermanentChurn: -0.1}, "PermanentChurn"},
		{"churn", 10, Config{PermanentChurn: nan}, "PermanentChurn"},
		{"lookups", 10, Config{Lookups: -1}, "Lookups is -1"},
		{"lookups", 10, Config{Lookups: nan}, "Lookups is NaN"},
		{"lookups", 10, Config{Lookups: inf}, "Lookups is +Inf"},
		{"misses", 10, Config{Lookups: 1, MissRate: 1.5}, "MissRate is 1.5"},
		{"misses", 10, Config{MissRate: nan}, "MissRate"},
		{"updates", 10, Config{Updates: -1}, "Updates"},
		{"scans", 10, Config{Scans: inf}, "Scans"},
		{"scan length", 10, Config{MaxScan: -1}, "MaxScan is -1"},
		{"exponent", 10, Config{ZipfExponent: -1}, "ZipfExponent"},
		{"hot elements", 10, Config{HotElements: 1.1}, "HotElements is 1.1"},
		{"hot operations", 10, Config{HotOperations: nan}, "HotOperations"},
		{"cluster", 10, Config{ClusterSize: -1}, "ClusterSize is -1"},
		{"IDs", math.MaxInt32, Config{Ratio: 2}, "32-bit IDs"},
		{"IDs", 1000, Config{Ratio: 1e18}, "32-bit IDs"},
		{"length", 1000, Config{Lookups: 1e18}, "operations"},
		{"length", 1000, Config{Lookups: math.MaxFloat64, Updates: math.MaxFloat64}, "operations"},
	}
	for _, test := range tests {
		for name, make := range map[string]func(int, Config) ([]Op, error){"Build": Build, "Cycle": Cycle} {
			ops, err := make(test.target, test.config)
			if err == nil || ops != nil || !strings.Contains(err.Error(), test.names) {
				t.Errorf("%s, %s: %d operations and error %v, want one that names %q", name, test.name, len(ops), err, test.names)
			}
		}
	}
}

func TestCycleNeedsTransientElements(t *testing.T) {
	for _, test := range []struct {
		target int
		ratio  float64
	}{{1000, 1}, {3, 1.1}} {
		_, err := Cycle(test.target, Config{Ratio: test.ratio})
		if err == nil || !strings.Contains(err.Error(), "Ratio") {
			t.Errorf("target %d, ratio %v: %v", test.target, test.ratio, err)
		}
		mustBuild(t, test.target, Config{Ratio: test.ratio})
	}
}
