package stat

import "math"

// BootstrapMedianSorted is [BootstrapMedian] with blockLength 1 for values that
// are already in ascending order. NaN values at the front are dropped. The cost
// grows like the square root of the length: only ranks near the middle have a
// probability worth counting.
func BootstrapMedianSorted(sorted []float64) MedianDistribution {
	for len(sorted) > 0 && math.IsNaN(sorted[0]) {
		sorted = sorted[1:]
	}
	if len(sorted) == 0 {
		return MedianDistribution{}
	}
	if len(sorted)%2 == 1 {
		return oddMedianLaw(sorted)
	}
	return evenMedianLaw(sorted)
}

// oddMedianLaw: with n = 2m+1 the median is at most the k-th value when at least
// m+1 of the n draws are, a binomial probability with p = k/n. As a function of
// p that is a beta(m+1,m+1) law, so rank k gets its mass between (k-1)/n and
// k/n.
func oddMedianLaw(sorted []float64) MedianDistribution {
	n := len(sorted)
	cells := middleCells(n, (n-1)/2)
	atoms := make([]atom, len(cells.mass))
	for i, mass := range cells.mass {
		atoms[i] = atom{sorted[cells.first-1+i], mass}
	}
	return newMedianDistribution(atoms)
}

// middleRanks holds the integral of (1-u*u)^power over the cells of the ranks
// first, first+1, ... Rank k of n has the cell from 2(k-1)/n-1 to 2k/n-1. The
// ranks lie symmetrically around the middle.
type middleRanks struct {
	first int // counted from 1
	mass  []float64
	total float64
}

// last is the highest rank, counted from 1.
func (r middleRanks) last() int { return r.first + len(r.mass) - 1 }

// middleCells integrates (1-u*u)^power over all cells that matter. The curve is
// close to a normal one with standard deviation 1/sqrt(n) in u, and a cell is
// 2/sqrt(n) of these wide, so a few Gauss points per cell give all digits.
func middleCells(n, power int) middleRanks {
	// 9.2 standard deviations: what is left out is below 1e-18.
	reach := int(4.6*math.Sqrt(float64(n))) + 2
	first := max(1, (n+1)/2-reach)
	r := middleRanks{first: first, mass: make([]float64, n+2-2*first)}
	rule := gaussFive[:]
	if n < 100 {
		rule = gaussEight[:]
	}
	width := 1 / float64(n)
	for low, high := 0, len(r.mass)-1; low <= high; low, high = low+1, high-1 {
		center := float64(2*(first+low)-1-n) * width
		mass := cellIntegral(rule, float64(power), center, width)
		r.mass[low], r.mass[high] = mass, mass
	}
	for _, mass := range r.mass {
		r.total += mass
	}
	return r
}

// cellIntegral is the integral of (1-u*u)^power from center-width to
// center+width.
func cellIntegral(rule []gaussPoint, power, center, width float64) float64 {
	total := 0.0
	for _, g := range rule {
		above, below := center+width*g.node, center-width*g.node
		// By logarithms, because a high power by multiplication loses digits.
		total += g.weight * (math.Exp(power*math.Log1p(-above*above)) +
			math.Exp(power*math.Log1p(-below*below)))
	}
	return total * width
}

// gaussPoint is a pair of Gauss-Legendre points at +node and -node on [-1,1]
// with the weight of each (Gauss 1814). The middle point of an odd rule is
// listed as a pair with half its weight.
type gaussPoint struct {
	node, weight float64
}

// gaussFive is exact for polynomials of degree 9.
var gaussFive = [...]gaussPoint{
	{0, 0.28444444444444444444},
	{0.53846931010568309104, 0.47862867049936646804},
	{0.90617984593866399280, 0.23692688505618908751},
}

// gaussEight is exact for polynomials of degree 15.
var gaussEight = [...]gaussPoint{
	{0.18343464249564980494, 0.36268378337836198297},
	{0.52553240991632898582, 0.31370664587788728734},
	{0.79666647741362673959, 0.22238103445337447054},
	{0.96028985649753623168, 0.10122853629037625915},
}
