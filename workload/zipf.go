package workload

import (
	"math"
	"math/bits"

	"github.com/rtcompare/rtcompare"
)

// zipf draws ranks from 0 to n-1, where rank k comes in proportion to
// (k+1)^-exponent.
//
// The ranks are cut into pieces: the popular ones by themselves, and further out
// as many together as differ little. A piece is drawn from a table of aliases
// (Walker 1977, built as Vose 1991 does), with as much weight as if all of its
// ranks were as popular as its first; then a rank of it, which is refused as
// often as it is less popular than that. So the law is exact, there are some
// hundred pieces for millions of ranks, and one draw in a hundred needs a power.
type zipf struct {
	exponent float64
	pieces   []piece
}

// piece is a range of neighbouring ranks, and an entry of the table of aliases.
type piece struct {
	// keep is the share of draws of this entry that stay in this piece, in
	// units of 2^-64; the others go to the piece with the number other.
	keep uint64
	// sure is the share of draws within the piece that need no look at the
	// rank, in units of 2^-64.
	sure         uint64
	first, ranks uint32
	other        uint32
}

// pieceShare makes a piece at rank k so long that it holds k/pieceShare ranks:
// about one draw in twice as many is refused at exponents near 1.
const pieceShare = 64

// newZipf makes the law of n ranks; n is from 1 to 2^32.
func newZipf(exponent float64, n uint64) zipf {
	z := zipf{exponent: exponent}
	var weights []float64
	for first := uint64(0); first < n; {
		ranks := min(max(first/pieceShare, 1), n-first)
		z.pieces = append(z.pieces, piece{first: uint32(first), ranks: uint32(ranks), sure: share64(z.relative(first, first+ranks-1))})
		weights = append(weights, float64(ranks)*z.relative(0, first))
		first += ranks
	}
	z.alias(weights)
	return z
}

// relative is how popular a rank is, compared with an earlier one.
func (z *zipf) relative(earlier, rank uint64) float64 {
	return math.Pow(float64(earlier+1)/float64(rank+1), z.exponent)
}

// share64 is a probability in units of 2^-64; one becomes the largest number
// there is.
func share64(p float64) uint64 {
	if p >= 1 {
		return math.MaxUint64
	}
	return uint64(math.Ldexp(p, 64))
}

// alias fills the table so that every piece comes in proportion to its weight:
// each entry has the same weight, of which the piece itself lacks a part that
// one other piece fills.
func (z *zipf) alias(weights []float64) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var light, heavy []uint32
	for i := range weights {
		weights[i] *= float64(len(weights)) / total
		z.pieces[i].keep, z.pieces[i].other = math.MaxUint64, uint32(i)
		if weights[i] < 1 {
			light = append(light, uint32(i))
		} else {
			heavy = append(heavy, uint32(i))
		}
	}
	for len(light) > 0 && len(heavy) > 0 {
		from, to := heavy[len(heavy)-1], light[len(light)-1]
		light = light[:len(light)-1]
		z.pieces[to].keep, z.pieces[to].other = share64(weights[to]), from
		if weights[from] -= 1 - weights[to]; weights[from] < 1 {
			heavy, light = heavy[:len(heavy)-1], append(light, from)
		}
	}
	// Whatever remains lacks nothing but what rounding took.
}

// draw returns a rank.
func (z *zipf) draw(random *rtcompare.DPRNG) uint64 {
	for {
		i, at := bits.Mul64(random.Uint64(), uint64(len(z.pieces)))
		number := uint32(i)
		if other := z.pieces[i].other; at >= z.pieces[i].keep {
			number = other
		}
		p := &z.pieces[number]
		offset, at := bits.Mul64(random.Uint64(), uint64(p.ranks))
		rank := uint64(p.first) + offset
		if at <= p.sure || float64(at) < math.Ldexp(z.relative(uint64(p.first), rank), 64) {
			return rank
		}
	}
}
