package pooling

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// FewestInOrder is the smallest number of processes whose order says
	// anything: the standard error of a correlation is then 0.18.
	FewestInOrder = 30
	// shuffles is the number of random orders that the one of launching is
	// compared with.
	shuffles = 20000
)

// InOrder runs comparisons of so many processes each and asks whether processes
// that were started one after the other resemble each other: the pooled interval
// takes them for independent.
func InOrder(s IdenticalSetup) (*sheet.Sheet, error) {
	if s.Most < FewestInOrder {
		return nil, fmt.Errorf("option -most is %d: to see how a process depends on the one before it takes at least %d", s.Most, FewestInOrder)
	}
	s.Fixed = true
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("pooled-identical -in-order: %d processes one after the other, two maps of %d nodes with the same content in each", s.Most, s.Nodes),
		Nominal: fmt.Sprintf("correlations nominal %.2f, standard error %.2f", -1/float64(s.Most), 1/math.Sqrt(float64(s.Most))),
		Columns: []string{"comparison", "mean", "scatter", "lag 1", "built second is faster by", "standard error", "lag 1 without it", "p", "lag 2 without it", "minutes"},
		Notes: []string{
			"lag 1 is the correlation of ln(B/A) in a process with that in the one before it, in the order of starting; A and B are built first in turns.",
			"without it: with the mean of each order of building taken out. p: share of random orders whose correlation is as far from its mean.",
		},
	}
	for i := range s.Comparisons {
		f, err := s.compare(i)
		if err != nil {
			return nil, fmt.Errorf("comparison %d: %w", i+1, err)
		}
		d := dependenceOf(f.LogRatios)
		table.Add(i+1, sheet.Percent(d.mean), sheet.Percent(d.scatter), d.lag1, sheet.Percent(d.second), sheet.Percent(d.secondError), d.without1, d.p, d.without2, f.Minutes)
		if s.Progress != nil {
			s.Progress("pooled-identical", i+1, s.Comparisons)
		}
	}
	return table, nil
}

// dependence is how the processes of a run depend on their order.
type dependence struct {
	mean, scatter float64
	lag1          float64
	// second is by how much the candidate that is built second is faster.
	second, secondError   float64
	without1, without2, p float64
}

// dependenceOf looks at ln(B/A) in the order of starting. In even places A was
// built first.
func dependenceOf(logs []float64) dependence {
	var d dependence
	d.mean, d.scatter = stat.MeanAndSD(logs)
	d.lag1 = correlation(logs, 1)
	var groups [2][]float64
	for i, x := range logs {
		groups[i%2] = append(groups[i%2], x)
	}
	var means, variances [2]float64
	for k, members := range groups {
		mean, deviation := stat.MeanAndSD(members)
		means[k], variances[k] = mean, deviation*deviation/float64(len(members))
	}
	// Where B was built second and is the faster one, ln(B/A) is negative.
	d.second, d.secondError = (means[1]-means[0])/2, math.Sqrt(variances[0]+variances[1])/2
	rest := make([]float64, len(logs))
	for i, x := range logs {
		rest[i] = x - means[i%2]
	}
	d.without1, d.without2 = correlation(rest, 1), correlation(rest, 2)
	d.p = shuffledShare(rest)
	return d
}

// correlation is that of the values with those a number of places earlier.
func correlation(x []float64, lag int) float64 {
	mean, _ := stat.MeanAndSD(x)
	products, squares := 0.0, 0.0
	for i, v := range x {
		squares += (v - mean) * (v - mean)
		if i >= lag {
			products += (v - mean) * (x[i-lag] - mean)
		}
	}
	if squares == 0 {
		return 0
	}
	return products / squares
}

// shuffledShare is the share of random orders in which the correlation at lag 1
// is at least as far from its mean, -1/n, as in the given order.
func shuffledShare(x []float64) float64 {
	r := rand.New(rand.NewPCG(1, uint64(len(x))))
	expected := -1 / float64(len(x))
	seen := math.Abs(correlation(x, 1) - expected)
	shuffled := append([]float64(nil), x...)
	count := 1 // the given order is one of them
	for range shuffles {
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if math.Abs(correlation(shuffled, 1)-expected) >= seen {
			count++
		}
	}
	return float64(count) / (shuffles + 1)
}
