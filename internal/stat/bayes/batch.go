package bayes

import "math"

// BatchSize is how many rounds are averaged into a batch after a number of
// rounds: the square root of the number, but at least batchRounds. A batchRounds
// of 1 or less turns batching off.
func BatchSize(rounds, batchRounds int) int {
	if batchRounds <= 1 {
		return 1
	}
	return max(batchRounds, int(math.Sqrt(float64(max(0, rounds)))))
}

// BatchMeans returns the means of consecutive batches of the differences, in
// order. The oldest rounds that do not fill a batch are left out. Fewer than
// two batches are none: nil.
func BatchMeans(differences []float64, batchRounds int) []float64 {
	size := BatchSize(len(differences), batchRounds)
	count := len(differences) / size
	if count < 2 {
		return nil
	}
	left := len(differences) - count*size
	means := make([]float64, count)
	for i := range means {
		means[i] = mean(differences[left+i*size : left+(i+1)*size])
	}
	return means
}

// mean is the arithmetic mean, with compensated summation (Kahan 1965).
func mean(x []float64) float64 {
	sum, lost := 0.0, 0.0
	for _, v := range x {
		v -= lost
		next := sum + v
		lost = (next - sum) - v
		sum = next
	}
	return sum / float64(len(x))
}
