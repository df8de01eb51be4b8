package steady

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// clip bounds how much one value can say, in standard deviations of the
	// steady part: what is farther off counts as an outlier of this size.
	clip = 6
	// finest is the smallest scatter assumed, as a share of the run time. It
	// stands in where a coarse clock makes most values equal.
	finest = 0.0005
	// normalMAD turns a median absolute deviation into a standard deviation of
	// normally distributed values.
	normalMAD = 1.4826
	// mostDependent is the largest lag-1 autocorrelation assumed.
	mostDependent = 0.95
)

// These were chosen by simulation; the test prints what they lead to.
const (
	// lowestBound is the bound on the quotient of a long series of symmetric
	// noise; boundOverSize over the size of the steady part is added to it.
	lowestBound, boundOverSize = 2.85, 4.0
	// unseenOutliers is the number of outliers added to the scatter of the steady
	// part, since a short one may have none although the process makes them.
	unseenOutliers = 0.4
	// lopsided weighs the term for lopsided noise.
	lopsided = 0.5
)

// level describes the part of a series that is taken to be steady.
type level struct {
	// center and scale are those of the logarithms.
	center, scale float64
	// mean, variance and skewness are those of the clipped scores.
	mean, variance, skewness float64
	// dependence is the lag-1 autocorrelation of the clipped scores, from 0 up.
	dependence float64
	// size is the number of values.
	size float64
}

// measure describes a steady part by the logarithms of its values.
func measure(logs []float64) level {
	l := level{center: stat.Median(logs), size: float64(len(logs))}
	distances := make([]float64, len(logs))
	for i, v := range logs {
		distances[i] = math.Abs(v - l.center)
	}
	l.scale = max(finest, normalMAD*stat.MedianInPlace(distances))
	scores := l.scores(logs)
	mean, sd := stat.MeanAndSD(scores)
	l.mean, l.variance = mean, max(1, sd*sd)+unseenOutliers*clip*clip/l.size
	for _, score := range scores {
		d := (score - mean) / math.Sqrt(l.variance)
		l.skewness += d * d * d / l.size
	}
	// The estimate is too small by about (1+3r)/n (Kendall 1954).
	if r := stat.Lag1(scores); !math.IsNaN(r) {
		l.dependence = min(mostDependent, max(0, r+(1+3*r)/l.size))
	}
	return l
}

// scores are the distances of values from the steady level, clipped.
func (l level) scores(logs []float64) []float64 {
	scores := make([]float64, len(logs))
	for i, v := range logs {
		scores[i] = min(clip, max(-clip, (v-l.center)/l.scale))
	}
	return scores
}

// standsOut returns how many of the first scores stand out most, or 0 where no
// number of them passes its bound.
func (l level) standsOut(scores []float64) int {
	most, length := 0.0, 0
	longRun := (1 + l.dependence) / (1 - l.dependence)
	// The variance of the mean of k values of an AR(1) process is v/k times
	// 1 + 2 sum (1 - j/k) r^j over j < k; plain and weighted are the sums of r^j
	// and of j r^j.
	sum, plain, weighted, power := 0.0, 0.0, 0.0, 1.0
	for i, score := range scores {
		if i > 0 {
			power *= l.dependence
			plain += power
			weighted += float64(i) * power
		}
		sum += score
		k := float64(i + 1)
		variance := l.variance * ((1+2*(plain-weighted/k))/k + longRun/l.size)
		over := l.overBound((sum/k-l.mean)/math.Sqrt(variance), k)
		if over > most {
			most, length = over, i+1
		}
	}
	return length
}

// overBound is by how much a quotient of k scores exceeds what those of a
// stationary series rarely exceed.
func (l level) overBound(z, k float64) float64 {
	bound := lowestBound + boundOverSize/l.size
	tail := lopsided * l.skewness / (6 * math.Sqrt(k)) * (bound*bound - 1)
	if z < 0 {
		z, tail = -z, -tail
	}
	return z - bound - max(0, tail)
}
