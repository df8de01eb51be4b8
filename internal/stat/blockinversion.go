package stat

import (
	"math"
	"math/cmplx"
)

// blockInversion computes probabilities of S, the number of admitted values in
// a chain of random blocks. S is a sum of independent counts, so its
// characteristic function is a product of those of the blocks, and a discrete
// Fourier transform gives the probabilities back (Gil-Pelaez 1951).
type blockInversion struct {
	target int // the S in question
	// size is the period of the transform, a multiple of 4. S must not be
	// farther than half of it from the target.
	size  int
	roots []complex128 // exp(2 pi i k/size)
	// threshold is the absolute value below which the characteristic function
	// of one block leaves nothing for the chain.
	threshold float64
}

// newBlockInversion prepares for all ranks of a series at once.
func newBlockInversion(chain *blockChain, groups [][]rankedValue, target int) *blockInversion {
	// S lies between 0 and the length of the chain, so a slightly longer period
	// is always enough.
	farthest := farthestFrom(chain, groups, target)
	size := 4 * int(math.Ceil(min(2*farthest+4, float64(chain.size)+6)/4))
	v := &blockInversion{
		target: target, size: size, roots: make([]complex128, size),
		threshold: math.Exp(-42 / float64(chain.blocks)),
	}
	for k := range v.roots {
		v.roots[k] = cmplx.Rect(1, 2*math.Pi*float64(k)/float64(size))
	}
	return v
}

// atLeast returns the probability that S is the target or more. The period is
// cut in two halves at the target. Summing the upper half leaves only the odd
// frequencies, and opposite ones are conjugate.
func (v *blockInversion) atLeast(c *blockChain) float64 {
	mean, reach := c.spread()
	switch {
	case mean+reach < float64(v.target):
		return 0
	case mean-reach > float64(v.target):
		return 1
	}
	total := 0.0
	v.walk(c, c.whole.frequency, c.cut.frequency, 1, func(frequency int, value complex128) {
		root := v.roots[frequency]
		cotangent := (1 + real(root)) / imag(root) // of half the angle
		total += real(value) + imag(value)*cotangent
	})
	return max(0, min(1, 0.5+2*total/float64(v.size)))
}

// point returns the probability that S is exactly the target, counting only the
// blocks in the given frequency tables. Half the period is enough for a
// single value of S, so every second frequency is left out.
func (v *blockInversion) point(c *blockChain, whole, cut []float64) float64 {
	all := realPower(sum(whole), c.blocks) * sum(cut)
	rest := 0.0
	v.walk(c, whole, cut, 2, func(_ int, value complex128) { rest += real(value) })
	// The last frequency, half way round, has no conjugate partner.
	last := power(characteristic(whole, -1), c.blocks) * characteristic(cut, -1)
	alternating := real(last)
	if v.target%2 == 1 {
		alternating = -alternating
	}
	return (all + alternating + 2*rest) / float64(v.size/2)
}

// walk visits the frequencies first, first+2, ... below half the period, with the
// characteristic function of S there, turned back by the target. It leaves out
// those where the function is too small to matter.
func (v *blockInversion) walk(c *blockChain, whole, cut []float64, first int, visit func(int, complex128)) {
	// The absolute value of a characteristic function cannot change faster
	// than the standard deviation of the count.
	_, variance := c.whole.moments()
	perStep := 4 * math.Pi / float64(v.size) * math.Sqrt(variance)
	for frequency := first; frequency < v.size/2; frequency += 2 {
		root := v.roots[frequency]
		block := characteristic(whole, root)
		size := math.Sqrt(real(block)*real(block) + imag(block)*imag(block))
		if gap := v.threshold - size; gap > 0 {
			if gap >= perStep*float64(v.size) {
				return
			}
			frequency += 2 * int(gap/perStep)
			continue
		}
		value := power(block, c.blocks) * characteristic(cut, root)
		// 64 bits, because the product may not fit into an int.
		turned := int64(frequency) * int64(v.target) % int64(v.size)
		visit(frequency, value*cmplx.Conj(v.roots[turned]))
	}
}

// characteristic is the characteristic function of a count with the given
// frequencies, at the angle of a point on the unit circle.
func characteristic(frequency []float64, root complex128) complex128 {
	x, y := real(root), imag(root)
	var re, im float64
	for count := len(frequency) - 1; count >= 0; count-- {
		re, im = re*x-im*y+frequency[count], re*y+im*x
	}
	return complex(re, im)
}

// power raises z to a whole power by squaring.
func power(z complex128, exponent int) complex128 {
	result := complex(1, 0)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result *= z
		}
		z *= z
	}
	return result
}

func realPower(x float64, exponent int) float64 {
	return real(power(complex(x, 0), exponent))
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}
