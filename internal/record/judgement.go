package record

// Verdict is the answer to "is it really faster?".
type Verdict string

const (
	// Faster and Slower are said of the judged arm, compared with the base.
	Faster Verdict = "faster"
	Slower Verdict = "slower"
	// Equivalent means that the difference lies inside the margin.
	Equivalent Verdict = "equivalent"
	// Inconclusive means that this run can tell neither.
	Inconclusive Verdict = "inconclusive"
	// Unmeasurable means that the run cannot be trusted to tell anything.
	Unmeasurable Verdict = "unmeasurable"
)

// Judgement is what was concluded about one arm against the base. All
// differences are natural logarithms of arm / base, so that swapping the two
// mirrors every number: +0.1 means the arm needs about 10 % more than the base.
type Judgement struct {
	Version string `json:"version"`
	Row     string `json:"row,omitempty"`
	// Arm was compared with Base.
	Arm     int     `json:"arm"`
	Base    int     `json:"base,omitempty"`
	Metric  string  `json:"metric"`
	Verdict Verdict `json:"verdict"`
	// LogRatio is the estimate, Low and High its interval at level 1-ErrorRate.
	LogRatio  float64 `json:"log_ratio"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	ErrorRate float64 `json:"error_rate"`
	// EquivalenceLow and EquivalenceHigh bound the interval at level
	// 1-2*ErrorRate, which has to lie inside the margin for Equivalent.
	EquivalenceLow  float64 `json:"equivalence_low"`
	EquivalenceHigh float64 `json:"equivalence_high"`
	PValue          float64 `json:"p"`
	// Margin is the largest log ratio that does not matter.
	Margin float64 `json:"margin"`
	// SmallestVisible is the smallest true difference that a run like this one
	// finds with 90 % probability.
	SmallestVisible float64 `json:"smallest_visible"`
	// WithinMargin is set beside Faster or Slower when the difference is real
	// and nevertheless inside the margin.
	WithinMargin bool `json:"within_margin,omitempty"`
	// Units, Pairs and Identical count what the judgement rests on: main
	// units, pairs in them, and comparisons of an arm with itself.
	Units     int `json:"units"`
	Pairs     int `json:"pairs"`
	Identical int `json:"identical"`
	// IdenticalSpread is the root mean square of the log ratios of identical
	// code, on the scale of the estimate.
	IdenticalSpread float64 `json:"identical_spread"`
	// Tied is the share of pairs with equal times, Resolution the log ratio
	// that rounding to clock ticks and what surrounds a batch can amount to.
	Tied       float64 `json:"tied"`
	Resolution float64 `json:"resolution"`
	// UnitsNeeded is how many units of this kind would probably decide, zero
	// when the run has decided.
	UnitsNeeded int       `json:"units_needed,omitempty"`
	Warnings    []Warning `json:"warnings,omitempty"`
}

// Warning is something that weakens a judgement: a stable code, and the
// numbers that belong to it. The words are the view's business.
type Warning struct {
	Code   string             `json:"code"`
	Arm    int                `json:"arm"`
	Values map[string]float64 `json:"values,omitempty"`
}
