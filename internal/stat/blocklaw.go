package stat

import "math"

// movingBlockMedian is the law of the median of a chain of random blocks. The
// median of an odd number of values is at most the k-th value when the number
// S of drawn values with rank k or less reaches the middle.
func movingBlockMedian(x []float64, length int) MedianDistribution {
	n := len(x)
	groups := groupTies(inAscendingOrder(x))
	chain := newBlockChain(n, length)
	target := (n + 1) / 2
	inversion := newBlockInversion(chain, n, target, farthestFrom(chain, groups, target))
	if n%2 == 0 {
		return evenBlockMedian(chain, inversion, groups)
	}
	chain.reset()
	atoms := make([]atom, 0, len(groups))
	done := 0.0
	for _, tied := range groups {
		chain.admit(tied)
		// Rounding must not let the sum fall.
		if reaches := inversion.atLeast(chain); reaches-done > roundingNoise {
			atoms = append(atoms, atom{tied[0].value, reaches - done})
			done = reaches
		}
	}
	return newMedianDistribution(atoms)
}

// roundingNoise is the size of the probabilities that an inversion can produce
// from rounding alone.
const roundingNoise = 1e-16

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
