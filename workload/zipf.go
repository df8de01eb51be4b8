package workload

import (
	"math"

	"github.com/rtcompare/rtcompare"
)

// zipf draws ranks from 1 to n, where rank k comes in proportion to k^-exponent.
// It needs no table, so that n may be large and the first draw costs no more
// than the others (rejection-inversion, Hörmann and Derflinger 1996): the area
// under x^-exponent is cut into pieces around the ranks, a point of it is drawn
// by inversion, and is refused where the curve and the ranks disagree, which is
// seldom.
type zipf struct {
	exponent, n float64
	// low and high are the ends of the area, sure is the distance to a rank
	// within which no point is refused.
	low, high, sure float64
}

func newZipf(exponent float64, n uint64) zipf {
	z := zipf{exponent: exponent, n: float64(n)}
	z.low = z.area(1.5) - 1
	z.high = z.area(z.n + 0.5)
	z.sure = 2 - z.inverse(z.area(2.5)-z.height(2))
	return z
}

func (z *zipf) draw(random *rtcompare.DPRNG) uint64 {
	for {
		u := z.high + random.Float64()*(z.low-z.high)
		x := z.inverse(u)
		rank := min(max(math.Floor(x+0.5), 1), z.n)
		if rank-x <= z.sure || u >= z.area(rank+0.5)-z.height(rank) {
			return uint64(rank)
		}
	}
}

func (z *zipf) height(x float64) float64 { return math.Exp(-z.exponent * math.Log(x)) }

// area is the integral of height from 1 to x. Written like this it is exact near
// exponent 1, where the textbook formula divides zero by zero.
func (z *zipf) area(x float64) float64 {
	log := math.Log(x)
	return log * growth((1-z.exponent)*log)
}

// inverse is the x up to which the area is a.
func (z *zipf) inverse(a float64) float64 {
	t := max(a*(1-z.exponent), -1) // rounding may go beyond
	return math.Exp(a * slowdown(t))
}

// growth is (e^x-1)/x, and 1 at 0.
func growth(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1 + x/2
	}
	return math.Expm1(x) / x
}

// slowdown is ln(1+x)/x, and 1 at 0.
func slowdown(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1 - x/2
	}
	return math.Log1p(x) / x
}
