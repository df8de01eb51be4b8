package stat

import "math"

// spreadBlocks is the number of stretches of time the jackknife leaves out, one
// after the other.
const spreadBlocks = 10

// fewestForSpread is the number of values below which ten stretches are too
// short to say how uncertain a 90th percentile is.
const fewestForSpread = 40

// SpreadRatio compares how much two series scatter towards their slow side. The
// spread of a series is its 90th percentile minus its median, so rare fast
// values and the level itself play no role. ratio is the spread of b over that
// of a. lo and hi bound it at the level: ln ratio is recomputed with each of
// ten contiguous stretches of time left out of both series, and the jackknife
// variance of these (Shao and Wu 1989) gives a Student t interval with 9
// degrees of freedom. Both series are in time order; values far apart in time
// must be independent. A zero spread makes the ratio 0, +Inf or NaN. The bounds
// are NaN then, for a series shorter than 40 values, for a NaN or an infinite
// spread, and for a level outside 0 to 1.
func SpreadRatio(a, b []float64, level float64) (ratio, lo, hi float64) {
	inOrderA, inOrderB := inAscendingOrder(a), inAscendingOrder(b)
	ratio = upperSpread(inOrderB, -1) / upperSpread(inOrderA, -1)
	if len(a) < fewestForSpread || len(b) < fewestForSpread || !(level > 0 && level < 1) ||
		!(ratio > 0) || math.IsInf(ratio, 0) {
		return ratio, math.NaN(), math.NaN()
	}
	logs := make([]float64, spreadBlocks)
	for block := range logs {
		logs[block] = math.Log(upperSpread(inOrderB, block) / upperSpread(inOrderA, block))
	}
	// The jackknife variance is (G-1)/G times the sum of squares.
	_, sd := MeanAndSD(logs)
	const groups = float64(spreadBlocks)
	standardError := sd * (groups - 1) / math.Sqrt(groups)
	half := standardError * StudentQuantile((1+level)/2, groups-1)
	return ratio, ratio * math.Exp(-half), ratio * math.Exp(half)
}

// upperSpread is the 90th percentile minus the median of the values outside one
// block of time. Block -1 leaves out nothing.
func upperSpread(inOrder []rankedValue, block int) float64 {
	n := len(inOrder)
	from, to := blockBounds(n, block)
	kept := make([]float64, 0, n)
	for _, r := range inOrder {
		if r.place < from || r.place >= to {
			kept = append(kept, r.value)
		}
	}
	return Quantile(kept, 0.9) - Quantile(kept, 0.5)
}

// blockBounds is the stretch of time of one block: places from..to-1.
func blockBounds(n, block int) (from, to int) {
	if block < 0 {
		return 0, 0
	}
	return block * n / spreadBlocks, (block + 1) * n / spreadBlocks
}
