package pooling

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// estimate is a pooled difference and its standard error.
type estimate struct{ mean, standardError float64 }

func (e estimate) holds(truth float64) bool {
	return math.Abs(e.mean-truth) <= standardErrors*e.standardError
}

// fixedEffect weights every process by its own precision, as if nothing
// differed from process to process.
func fixedEffect(values, errors []float64) estimate { return weighted(values, errors, 0) }

// randomEffects is the method of DerSimonian and Laird (1986): the variance
// between processes comes from Cochran's Q and is taken for exact.
func randomEffects(values, errors []float64) estimate {
	q := stat.Cochran(values, errors).Q
	sum, squares := 0.0, 0.0
	for _, e := range errors {
		w := 1 / (e * e)
		sum, squares = sum+w, squares+w*w
	}
	between := (q - float64(len(values)-1)) / (sum - squares/sum)
	return weighted(values, errors, max(0, between))
}

func weighted(values, errors []float64, between float64) estimate {
	mean, sum := 0.0, 0.0
	for i, v := range values {
		w := 1 / (errors[i]*errors[i] + between)
		mean, sum = mean+w*v, sum+w
	}
	return estimate{mean / sum, math.Sqrt(1 / sum)}
}
