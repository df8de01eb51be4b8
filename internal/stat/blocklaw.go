package stat

import "math"

// longestEvenChain is the even length up to which the joint law of the two
// middle values is worked out. Its cost grows with the square of the length
// when the series has long regimes: 0.1 s at this length.
const longestEvenChain = 2000

// roundingNoise is the size of the probabilities that an inversion can produce
// from rounding alone.
const roundingNoise = 1e-16

// movingBlockMedian is the law of the median of a chain of random blocks.
func movingBlockMedian(x []float64, length int) MedianDistribution {
	n := len(x)
	chain := newBlockChain(n, length)
	groups := groupTies(inAscendingOrder(x))
	middle := (n + 1) / 2
	switch {
	case n%2 == 1:
		return newMedianDistribution(orderStatisticLaw(chain, groups, middle))
	case n <= longestEvenChain:
		return newMedianDistribution(middlePairLaw(chain, groups, middle))
	}
	return newMedianDistribution(meanOfQuantiles(
		orderStatisticLaw(chain, groups, middle),
		orderStatisticLaw(chain, groups, middle+1)))
}

// groupTies cuts a list in ascending order into groups of equal values.
func groupTies(ranked []rankedValue) [][]rankedValue {
	groups := make([][]rankedValue, 0, len(ranked))
	for i := 0; i < len(ranked); {
		end := endOfTie(ranked, i)
		groups = append(groups, ranked[i:end])
		i = end
	}
	return groups
}

// orderStatisticLaw is the law of the value of a given rank in a chain. That
// value is at most the k-th of the series when the number S of drawn values
// with rank k or less reaches the given rank.
func orderStatisticLaw(chain *blockChain, groups [][]rankedValue, rank int) []atom {
	inversion := newBlockInversion(chain, groups, rank)
	chain.reset()
	atoms := make([]atom, 0, len(groups))
	done := 0.0
	for _, tied := range groups {
		chain.admit(tied)
		// Rounding must not let the sum fall.
		if reached := inversion.atLeast(chain); reached-done > roundingNoise {
			atoms = append(atoms, atom{tied[0].value, reached - done})
			done = reached
		}
	}
	return atoms
}

// farthestFrom walks through all ranks once to see how far S can be from the
// target at those ranks where both sides of it are possible.
func farthestFrom(chain *blockChain, groups [][]rankedValue, target int) float64 {
	farthest := 0.0
	chain.reset()
	for _, tied := range groups {
		chain.admit(tied)
		mean, reach := chain.spread()
		if distance := math.Abs(mean - float64(target)); distance <= reach {
			farthest = max(farthest, distance+reach)
		}
	}
	return farthest
}

// meanOfQuantiles is the law of the mean of two values that always sit at the
// same quantile of their own laws. In a long series the two middle values are
// neighbours, and it makes no difference how they are coupled.
func meanOfQuantiles(lower, upper []atom) []atom {
	means := make([]atom, 0, len(lower)+len(upper))
	var lowerSum, upperSum, done float64
	for i, j := 0, 0; i < len(lower) && j < len(upper); {
		nextLower, nextUpper := lowerSum+lower[i].probability, upperSum+upper[j].probability
		next := min(nextLower, nextUpper)
		means = append(means, atom{midpoint(lower[i].value, upper[j].value), next - done})
		done = next
		if nextLower <= next {
			lowerSum = nextLower
			i++
		}
		if nextUpper <= next {
			upperSum = nextUpper
			j++
		}
	}
	return means
}
