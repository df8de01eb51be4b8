package cli

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestReference(t *testing.T) {
	const file = "../../docs/cli.md"
	got := (&App{}).Reference()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the program's help says: go test ./internal/cli -run Reference -update", file)
	}
}
