package pooling

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// sample is the processes of one run so far. It computes what Combine does and
// nothing else, because many rules times many trials take too long otherwise; a
// test compares the two.
type sample struct {
	sizing
	next func() float64
	logs []float64
}

// grow draws processes until there are so many, of those that are allowed.
func (s *sample) grow(n int) {
	for len(s.logs) < min(n, s.most) {
		s.logs = append(s.logs, s.next())
	}
}

// spread is the standard deviation of all processes, as shares of the slower
// candidate's time: of B's where A is the faster one.
func (s *sample) spread() float64 {
	mean, _ := stat.MeanAndSD(s.logs)
	shares := make([]float64, len(s.logs))
	for i, x := range s.logs {
		shares[i] = -math.Expm1(math.Copysign(1, -mean) * x)
	}
	_, deviation := stat.MeanAndSD(shares)
	return deviation
}

// wanted is the half-width that is narrow enough, judged from all processes.
func (s *sample) wanted() float64 {
	mean, _ := stat.MeanAndSD(s.logs)
	return max(s.abs, s.rel*-math.Expm1(-math.Abs(mean)))
}

// stein is how many processes the first ones ask for when their scatter and
// their degrees of freedom are to stand for all (Stein 1945). factor widens the
// interval.
func (s *sample) stein(factor float64) int {
	n := math.Ceil(math.Pow(factor*student(len(s.logs))*s.spread()/s.wanted(), 2))
	return max(len(s.logs), int(min(n, math.MaxInt32)))
}

// pilot is how many processes they ask for when the scatter of all is to count
// in the end: fewer, because all have more degrees of freedom.
func (s *sample) pilot(factor float64) int {
	deviation, wanted := s.spread(), s.wanted()
	n := len(s.logs)
	for ; n <= s.most; n++ {
		if factor*student(n)*deviation/math.Sqrt(float64(n)) <= wanted {
			break
		}
	}
	return n
}

// answer is what a rule makes of a run.
type answer struct {
	mean, half float64
	processes  int
	narrow     bool
}

// plain is the t interval over all processes, times a factor.
func (s *sample) plain(factor float64) answer {
	mean, deviation := stat.MeanAndSD(s.logs)
	a := answer{mean: mean, half: factor * student(len(s.logs)) * deviation / math.Sqrt(float64(len(s.logs))), processes: len(s.logs)}
	a.narrow = s.narrow(a)
	return a
}

// narrow reports whether an interval is as narrow as asked for, as a share of
// the slower candidate's time.
func (s *sample) narrow(a answer) bool {
	mean := math.Abs(a.mean)
	low, high := -math.Expm1(-(mean - a.half)), -math.Expm1(-(mean + a.half))
	return (high-low)/2 <= s.wanted()
}

// staged is the interval whose scatter and degrees of freedom come from the
// first processes.
func (s *sample) staged(first int) answer {
	a := s.plain(1)
	_, deviation := stat.MeanAndSD(s.logs[:first])
	a.half = student(first) * deviation / math.Sqrt(float64(len(s.logs)))
	a.narrow = s.narrow(a)
	return a
}

// wider is the wider one of the two.
func (s *sample) wider(first int) answer {
	plain := s.plain(1)
	if first == len(s.logs) {
		return plain
	}
	if staged := s.staged(first); staged.half > plain.half {
		return staged
	}
	return plain
}

// student is the t quantile of so many processes. The table is read by several
// goroutines and never changes.
func student(processes int) float64 { return students[min(processes, len(students)-1)] }

var students = func() [64]float64 {
	var all [64]float64
	for n := 2; n < len(all); n++ {
		all[n] = stat.StudentQuantile((1+level)/2, float64(n-1))
	}
	return all
}()
