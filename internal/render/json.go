package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// JSONSchema names the version of what [JSON] writes.
const JSONSchema = "rtcompare-comparison/1"

// document is the whole export. Its results are those of hyperfine 1.20, with
// further keys beside; scripts written for hyperfine read them unchanged.
type document struct {
	Schema      string             `json:"schema"`
	Tool        string             `json:"tool"`
	Name        string             `json:"name,omitempty"`
	Started     *time.Time         `json:"started,omitempty"`
	Seconds     *number            `json:"seconds,omitempty"`
	Stopped     string             `json:"stopped,omitempty"`
	Method      string             `json:"method,omitempty"`
	Metric      string             `json:"metric"`
	Reference   string             `json:"reference,omitempty"`
	Plan        map[string]any     `json:"plan,omitempty"`
	Host        map[string]any     `json:"host,omitempty"`
	Machine     []record.Finding   `json:"machine,omitempty"`
	Results     []result           `json:"results"`
	Comparisons []compared         `json:"comparisons"`
	Groups      [][]string         `json:"groups,omitempty"`
	Warnings    []warning          `json:"warnings"`
	Judgements  []record.Judgement `json:"judgements"`
}

// compared is a judged pair. Ratio is the arm's value over the base's.
type compared struct {
	A         string   `json:"a"`
	B         string   `json:"b"`
	Metric    string   `json:"metric"`
	Verdict   string   `json:"verdict"`
	Sentence  string   `json:"sentence"`
	Ratio     number   `json:"ratio"`
	Interval  []number `json:"ratio_interval"`
	Level     number   `json:"level"`
	Validity  string   `json:"validity"`
	PValue    number   `json:"p"`
	Margin    number   `json:"margin"`
	Smallest  number   `json:"smallest_visible"`
	Noise     number   `json:"noise_floor"`
	Units     int      `json:"units"`
	Pairs     int      `json:"pairs"`
	Needed    int      `json:"units_needed,omitempty"`
	Reference bool     `json:"against_reference,omitempty"`
}

type warning struct {
	Code   string             `json:"code"`
	Side   string             `json:"side,omitempty"`
	Values map[string]float64 `json:"values,omitempty"`
	Text   string             `json:"text"`
}

// JSON exports a comparison: hyperfine's results and everything else. Numbers
// that are not known are null.
func JSON(c view.Comparison) ([]byte, error) {
	d := document{
		Schema: JSONSchema, Tool: c.Tool, Name: c.Name, Stopped: c.Ending.Reason, Method: c.Ending.Method,
		Metric: c.MainMetric(), Plan: c.Plan, Host: c.Host, Machine: c.Ending.Machine,
		Results: []result{}, Comparisons: []compared{}, Warnings: []warning{}, Judgements: []record.Judgement{},
	}
	if c.Reference < len(c.Sides) {
		d.Reference = c.Sides[c.Reference].Letter
	}
	if !c.Started.IsZero() {
		d.Started = &c.Started
	}
	if c.Ending.Seconds > 0 {
		d.Seconds = pointer(c.Ending.Seconds)
	}
	for i := range c.Sides {
		d.Results = append(d.Results, resultOf(&c.Sides[i]))
	}
	for _, p := range c.Pairs {
		d.Comparisons = append(d.Comparisons, comparedOf(&c, p))
		d.Judgements = append(d.Judgements, storable(p.Judgement))
	}
	for _, group := range c.Groups {
		var letters []string
		for _, side := range group {
			letters = append(letters, c.Sides[side].Letter)
		}
		d.Groups = append(d.Groups, letters)
	}
	for _, w := range c.Warnings {
		entry := warning{Code: w.Code, Values: finiteValues(w.Values), Text: c.WarningText(w)}
		if w.Arm >= 0 && w.Arm < len(c.Sides) {
			entry.Side = c.Sides[w.Arm].Letter
		}
		d.Warnings = append(d.Warnings, entry)
	}
	return encode(d)
}

// encode writes indented JSON in which commands stay readable.
func encode(document any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil {
		return nil, fmt.Errorf("writing a comparison as JSON: %w", err)
	}
	return out.Bytes(), nil
}

// storable bounds what JSON cannot hold, as a record does.
func storable(j record.Judgement) record.Judgement {
	for _, v := range []*float64{
		&j.LogRatio, &j.Low, &j.High, &j.EquivalenceLow, &j.EquivalenceHigh, &j.ErrorRate, &j.Margin,
		&j.PValue, &j.SmallestVisible, &j.IdenticalSpread, &j.Tied, &j.Resolution,
	} {
		if math.IsNaN(*v) {
			*v = 0
		}
		*v = max(-math.MaxFloat64, min(math.MaxFloat64, *v))
	}
	warnings := j.Warnings
	j.Warnings = nil
	for _, w := range warnings {
		w.Values = finiteValues(w.Values)
		j.Warnings = append(j.Warnings, w)
	}
	return j
}

// finiteValues leaves out what JSON cannot hold.
func finiteValues(values map[string]float64) map[string]float64 {
	kept := map[string]float64{}
	for name, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			kept[name] = v
		}
	}
	return kept
}

func pointer(v float64) *number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	n := number(v)
	return &n
}

func comparedOf(c *view.Comparison, p view.Pair) compared {
	low, high := number(math.Exp(p.Low)), number(math.Exp(p.High))
	if !p.Bounded() {
		low, high = number(math.NaN()), number(math.NaN())
	}
	return compared{
		A: c.Sides[p.Base].Name, B: c.Sides[p.Arm].Name, Metric: p.Judgement.Metric, Verdict: string(p.Verdict), Sentence: c.Sentence(p),
		Ratio: number(math.Exp(p.LogRatio)), Interval: []number{low, high}, Level: number(1 - p.ErrorRate), Validity: c.Ending.Method,
		PValue: number(p.PValue), Margin: number(math.Expm1(p.Margin)), Smallest: number(math.Expm1(p.SmallestVisible)),
		Noise: number(math.Expm1(p.IdenticalSpread)), Units: p.Units, Pairs: p.Pairs, Needed: p.UnitsNeeded, Reference: p.Base == c.Reference,
	}
}
