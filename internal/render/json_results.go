package render

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/view"
)

// result is one side. Times are seconds, as hyperfine has them; everything in
// Series is in the unit that stands there.
type result struct {
	Command string   `json:"command"`
	Mean    number   `json:"mean"`
	SD      *number  `json:"stddev"`
	Median  number   `json:"median"`
	User    *number  `json:"user,omitempty"`
	System  *number  `json:"system,omitempty"`
	Min     number   `json:"min"`
	Max     number   `json:"max"`
	Times   []number `json:"times"`
	// Memory is left out where a value is missing: hyperfine knows no null here.
	Memory     []int64           `json:"memory_usage_byte,omitempty"`
	ExitCodes  []*int64          `json:"exit_codes,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`

	Letter      string            `json:"letter"`
	CommandLine string            `json:"command_line,omitempty"`
	Positions   []int             `json:"positions,omitempty"`
	CPU         []number          `json:"cpu_times,omitempty"`
	UserTimes   []number          `json:"user_times,omitempty"`
	SystemTimes []number          `json:"system_times,omitempty"`
	Requests    int64             `json:"requests,omitempty"`
	Rate        *number           `json:"requests_per_second,omitempty"`
	Latency     []latency         `json:"latency,omitempty"`
	Counts      map[string]int64  `json:"counts,omitempty"`
	Percentiles map[string]number `json:"percentiles,omitempty"`
	Series      map[string]series `json:"series,omitempty"`
}

type latency struct {
	Quantile number `json:"quantile"`
	Seconds  number `json:"seconds"`
}

type series struct {
	Unit       string   `json:"unit,omitempty"`
	Better     string   `json:"better,omitempty"`
	UpperBound bool     `json:"upper_bound,omitempty"`
	PerUnit    bool     `json:"per_unit,omitempty"`
	Median     number   `json:"median"`
	MedianLow  number   `json:"median_low"`
	MedianHigh number   `json:"median_high"`
	Values     []number `json:"values"`
}

func resultOf(s *view.Side) result {
	r := result{
		Command: s.Name, Letter: s.Letter, CommandLine: s.Command, Requests: s.Requests,
		Mean: number(math.NaN()), Median: number(math.NaN()), Min: number(math.NaN()), Max: number(math.NaN()), Times: []number{},
	}
	if wall := s.Find(view.SeriesWall); wall != nil {
		r.Mean, r.Median, r.Min, r.Max = seconds(wall.Mean), seconds(wall.Median), seconds(wall.Min), seconds(wall.Max)
		r.Percentiles = map[string]number{
			"10": seconds(wall.P10), "25": seconds(wall.P25), "75": seconds(wall.P75), "90": seconds(wall.P90), "95": seconds(wall.P95), "99": seconds(wall.P99),
		}
		r.SD, r.Times, r.Positions = pointer(wall.SD/1e9), allSeconds(wall.Values), wall.Positions
	}
	r.User, r.UserTimes = meanSeconds(s.Find(view.SeriesUser))
	r.System, r.SystemTimes = meanSeconds(s.Find(view.SeriesSystem))
	_, r.CPU = meanSeconds(s.Find(view.SeriesCPU))
	r.Memory, r.ExitCodes = wholeNumbers(s.Find(view.SeriesMemory)), exitCodes(s)
	if rate := s.Find(view.SeriesRate); rate != nil {
		r.Rate = pointer(rate.Median)
	}
	for _, p := range s.Parameters {
		if r.Parameters == nil {
			r.Parameters = map[string]string{}
		}
		r.Parameters[p.Name] = p.Value
	}
	for _, q := range s.Latency {
		r.Latency = append(r.Latency, latency{number(q.At), seconds(q.Value)})
	}
	for _, count := range s.Counts {
		if r.Counts == nil {
			r.Counts = map[string]int64{}
		}
		r.Counts[count.Name] = count.Times
	}
	r.Series = seriesOf(s)
	return r
}

func meanSeconds(s *view.Series) (*number, []number) {
	if s == nil {
		return nil, nil
	}
	return pointer(s.Mean / 1e9), allSeconds(s.Values)
}

// wholeNumbers are a series without gaps as integers, else nil.
func wholeNumbers(s *view.Series) []int64 {
	if s == nil || s.Known < len(s.Values) {
		return nil
	}
	list := make([]int64, len(s.Values))
	for i, v := range s.Values {
		list[i] = int64(v)
	}
	return list
}

// exitCodes are a command's, null where there is none. A server's run counts as
// 0 when every request succeeded, as 1 otherwise.
func exitCodes(s *view.Side) []*int64 {
	codes, failed := s.Find(view.SeriesExitCode), false
	if codes == nil && s.Server {
		codes, failed = s.Find(view.SeriesFailed), true
	}
	if codes == nil {
		return nil
	}
	list := make([]*int64, len(codes.Values))
	for i, v := range codes.Values {
		if math.IsNaN(v) {
			continue
		}
		code := int64(v)
		if failed {
			code = min(1, code)
		}
		list[i] = &code
	}
	return list
}

// seriesOf exports all series that have no place of their own above.
func seriesOf(s *view.Side) map[string]series {
	all := map[string]series{}
	for i := range s.Series {
		one := &s.Series[i]
		switch one.Name {
		case view.SeriesWall, view.SeriesCPU, view.SeriesUser, view.SeriesSystem, view.SeriesExitCode:
			continue
		}
		all[one.Name] = series{
			Unit: one.Unit, Better: one.Better, UpperBound: one.UpperBound, PerUnit: one.PerUnit, Median: number(one.Median),
			MedianLow: number(one.MedianLow), MedianHigh: number(one.MedianHigh), Values: numbers(one.Values),
		}
	}
	return all
}
