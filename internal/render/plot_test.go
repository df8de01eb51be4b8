package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

func TestPlots(t *testing.T) {
	few := twoCommands
	few.units = 5
	tests := []struct {
		name   string
		run    simulated
		change func(*record.Record)
	}{
		{"commands", few, named}, {"many", fourCommands, withParameters}, {"servers", twoServers, nil},
		{"outlier", few, trouble}, {"no-runs", simulated{names: []string{"a"}}, nil}, {"nothing", simulated{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.run.comparison(t, tt.change)
			for _, kind := range PlotKinds {
				image, err := Plot(kind, c, Options{})
				if err != nil {
					t.Fatal(err)
				}
				wellFormed(t, image)
				golden(t, string(kind)+"-"+tt.name+".svg", string(image))
			}
		})
	}
	if _, err := Plot("pie", twoCommands.comparison(t, nil), Options{}); err == nil || !strings.Contains(err.Error(), "whisker") {
		t.Errorf("an unknown figure: %v", err)
	}
}

func named(r *record.Record) { r.Head.Plan["name"] = "old & <new>" }

// wellFormed reads XML to its end.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	for decoder := xml.NewDecoder(bytes.NewReader(text)); ; {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
}

func TestHTML(t *testing.T) {
	few := twoCommands
	few.units = 5
	for name, tt := range map[string]struct {
		run    simulated
		change func(*record.Record)
	}{"commands": {few, named}, "servers": {twoServers, nil}, "trouble": {few, trouble}, "nothing": {simulated{}, nil}} {
		page, err := HTML(tt.run.comparison(t, tt.change), Options{}, PlotWhisker)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "page-"+name+".html", string(page))
	}
}

// Whatever a command is called, nothing of it becomes markup.
func TestHTMLEscapes(t *testing.T) {
	c := twoCommands.comparison(t, func(r *record.Record) {
		evil := `"'></code><script>alert(1)</script><!--`
		r.Head.Arms[0].Name, r.Head.Plan["name"], r.Head.Tool = evil, evil, evil
		r.Head.Host.(map[string]any)[evil] = evil
		r.End.Machine = []record.Finding{{Code: evil, Text: evil}}
	})
	page, err := HTML(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page), "<script") || strings.Contains(string(page), "<!--") {
		t.Error("a command's name became markup")
	}
	for _, outside := range []string{"src=", "href=", "@import", "url("} {
		if strings.Contains(string(page), outside) {
			t.Errorf("the page needs something outside of itself: %s", outside)
		}
	}
}
