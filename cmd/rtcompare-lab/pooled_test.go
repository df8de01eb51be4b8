package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestPooledCommands runs the simulations of several processes with few trials:
// every line is a table, and every column has a name of its own.
func TestPooledCommands(t *testing.T) {
	for name, tables := range map[string]int{"pooled": 4, "staged": 2} {
		text := output(t, name, "-quick", "-trials", "20", "-json")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) != tables {
			t.Errorf("%s: %d tables", name, len(lines))
		}
		for _, line := range lines {
			var table struct {
				Trials int              `json:"trials"`
				Rows   []map[string]any `json:"rows"`
			}
			if err := json.Unmarshal([]byte(line), &table); err != nil || len(table.Rows) == 0 || table.Trials == 0 {
				t.Errorf("%s: %v in %s", name, err, line)
			}
			if slices.ContainsFunc(table.Rows, func(row map[string]any) bool { return len(row) != len(table.Rows[0]) }) {
				t.Errorf("%s: rows of different lengths in %s", name, line)
			}
		}
	}
}
