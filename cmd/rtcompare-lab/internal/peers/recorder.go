package peers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// RecorderDelay and RecorderEvery are what the server does.
const (
	RecorderDelay = 50 * time.Millisecond
	RecorderEvery = 50
)

// recorderConcurrencies are the numbers of connections.
var recorderConcurrencies = []int{1, 16}

// recorderRequests is how many requests a run has: enough for a hundred delayed
// ones at every number of connections.
func recorderRequests(concurrency int) int64 { return 5000 * int64(min(4, concurrency)) }

// Recorder holds the latencies that the load generator records against those
// that the server itself has seen. scale multiplies the number of requests.
func Recorder(s Setup, scale float64) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	server, err := startServer(s.Context, "-role", roleDelaying, "-every", strconv.Itoa(RecorderEvery), "-delay", RecorderDelay.String())
	if err != nil {
		return nil, err
	}
	defer server.stop()
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("recorder: a server that holds back every %dth answer for %v; latencies by the load generator and on the server's side", RecorderEvery, RecorderDelay),
		Trials:  s.Trials,
		Columns: []string{"connections", "quantile", "in the server", "with the way", "recorded", "median difference", "largest difference"},
	}
	var all []float64
	for _, concurrency := range recorderConcurrencies {
		worst, err := s.recorderRows(table, server, concurrency, scale)
		if err != nil {
			return nil, err
		}
		all = append(all, worst)
	}
	table.Notes = append(table.Notes,
		"Times are medians over the trials, in microseconds. With the way to the client and back a request lasts from its arrival to that of the connection's next one, as the server's kernel stamps them.",
		"Every 50th is 2% of the requests, so that p95 is an ordinary answer and p99 one that was held back.",
		p.conditions())
	table.Bars = []sheet.Bar{{Name: "difference of a recorded p50, p95 or p99, median over the trials", Kind: sheet.Rate, Limit: 0.02, Measured: sheet.Worst(all, false), Trials: s.Trials, Full: s.Trials}}
	return table, nil
}

// recorderRows adds the rows of one number of connections and returns the
// largest of their median differences.
func (s Setup) recorderRows(table *sheet.Sheet, server *child, concurrency int, scale float64) (worst float64, err error) {
	var recorded, cycle, held, off [len(recorderQuantiles)][]float64
	from, to, way := time.Duration(math.MaxInt64), time.Duration(0), []float64{}
	for trial := range s.Trials {
		truth, seen, err := s.recordOnce(server, concurrency, max(200, int64(scale*float64(recorderRequests(concurrency)))))
		if err != nil {
			return 0, err
		}
		from, to, way = min(from, truth.HeldFrom), max(to, truth.HeldTo), append(way, microseconds(truth.Way))
		for i := range recorderQuantiles {
			recorded[i] = append(recorded[i], microseconds(seen[i]))
			cycle[i], held[i] = append(cycle[i], microseconds(truth.Cycle[i])), append(held[i], microseconds(truth.Held[i]))
			off[i] = append(off[i], math.Abs(float64(seen[i])/float64(truth.Cycle[i])-1))
		}
		s.progress(fmt.Sprintf("%d connections", concurrency), trial+1)
	}
	for i, percent := range recorderQuantiles {
		median := stat.Median(off[i])
		worst = max(worst, median)
		table.Add(concurrency, fmt.Sprintf("p%g", percent), rounded(held[i]), rounded(cycle[i]), rounded(recorded[i]), sheet.Percent(median), sheet.Percent(slices.Max(off[i])))
	}
	table.Notes = append(table.Notes, fmt.Sprintf("%d connections: answers were held back for %.3f to %.3f ms by the server's clock; the way takes %.0f µs.",
		concurrency, from.Seconds()*1e3, to.Seconds()*1e3, stat.Median(way)))
	return worst, nil
}

func rounded(values []float64) string { return fmt.Sprintf("%.1f", stat.Median(values)) }

// recordOnce makes one run and asks both sides.
func (s Setup) recordOnce(server *child, concurrency int, requests int64) (truth delayingReport, seen [len(recorderQuantiles)]time.Duration, err error) {
	generator, err := load.New(s.Context, load.Target{URLs: []string{server.url()}}, load.Options{Concurrency: concurrency})
	if err != nil {
		return truth, seen, err
	}
	result, err := generator.Run(s.Context, int64(concurrency), requests)
	response, _ := generator.Latencies()
	_ = generator.Close()
	if err != nil {
		return truth, seen, err
	}
	if failed := result.Counted.Failed + result.Outside.Failed; failed > 0 {
		return truth, seen, fmt.Errorf("%d requests to the delaying server failed: %v", failed, result.Counted.Examples)
	}
	if err := server.report(&truth); err != nil {
		return truth, seen, err
	}
	for i, percent := range recorderQuantiles {
		seen[i] = time.Duration(response.ValueAtQuantile(percent))
	}
	return truth, seen, nil
}
