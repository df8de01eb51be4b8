package workload

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestStreamsStayWhatTheyAre compares digests of streams with those of earlier
// versions: whoever compared structures under a seed should be able to do so
// again. Where a stream changes on purpose the change log says so.
func TestStreamsStayWhatTheyAre(t *testing.T) {
	var lines strings.Builder
	for _, k := range []struct {
		name   string
		config Config
	}{
		{"default", Config{}},
		{"seed", Config{Seed: 7, Ratio: 3, MaxBurst: 5, LiveTarget: 40}},
		{"FIFO", Config{Victims: FIFO}},
		{"LIFO", Config{Victims: LIFO}},
		{"Adjacent", Config{Victims: Adjacent}},
		{"Sequential", Config{Keys: Sequential}},
		{"Clustered", Config{Keys: Clustered, ClusterSize: 10}},
		{"churn", Config{PermanentChurn: 0.2}},
		{"adjacent churn", Config{PermanentChurn: 0.2, ChurnVictims: Adjacent}},
		{"reads", Config{Lookups: 1, MissRate: 0.25, Updates: 0.5, Scans: 0.1}},
		{"churn and reads", Config{Lookups: 1, PermanentChurn: 0.2}},
		{"Zipf", Config{Lookups: 1, Access: Zipf}},
		{"Hot", Config{Lookups: 1, Access: Hot}},
	} {
		for _, phase := range []struct {
			name string
			make func(int, Config) ([]Op, error)
		}{{"cycle", Cycle}, {"build", Build}} {
			ops, err := phase.make(3000, k.config)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "%s, %s: %d operations, %016x\n", k.name, phase.name, len(ops), digest(ops))
		}
	}
	const golden = "testdata/streams.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	earlier := strings.Split(string(want), "\n")
	for i, line := range strings.Split(lines.String(), "\n") {
		if i >= len(earlier) || line != earlier[i] {
			t.Errorf("the stream is %s, which differs from %s", line, golden)
		}
	}
}

func digest(ops []Op) uint64 {
	sum := fnv.New64a()
	var text [13]byte
	for _, op := range ops {
		binary.LittleEndian.PutUint64(text[:], op.Key)
		binary.LittleEndian.PutUint32(text[8:], op.ID)
		text[12] = byte(op.Kind)
		sum.Write(text[:])
	}
	return sum.Sum64()
}
