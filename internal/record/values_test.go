package record

import (
	"encoding/json"
	"math"
	"testing"
)

func TestUnknownValuesAreNull(t *testing.T) {
	text, err := json.Marshal(Cell{Wall: []int64{1}, Extra: map[string]Values{"m": {1.5, math.NaN(), math.Inf(1), -2}}})
	if err != nil {
		t.Fatal(err)
	}
	var cell Cell
	if err := json.Unmarshal(text, &cell); err != nil {
		t.Fatal(err)
	}
	got := cell.Extra["m"]
	if len(got) != 4 || got[0] != 1.5 || !math.IsNaN(got[1]) || !math.IsNaN(got[2]) || got[3] != -2 {
		t.Errorf("%s reads back as %v", text, got)
	}
	if err := json.Unmarshal([]byte(`["x"]`), &got); err == nil {
		t.Error("a text was read as a number")
	}
}
