package rtcompare

import (
	"context"
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Reports is the result of [CompareAll].
type Reports struct {
	// Reports holds one report per candidate after the first, in order. A is
	// the first candidate in each of them, B the other.
	Reports []Report
	// HolmP holds the p-values of the reports, adjusted for their number (Holm
	// 1979). The verdicts do not use them: they follow from intervals whose
	// error rate is divided among the pairs (Bonferroni), so that verdict and
	// interval always agree.
	HolmP []float64
}

// CompareAll compares several candidates with the first one. All are measured
// in the same rounds. The error rate 1-Level holds for all verdicts together.
//
// At least two candidates are needed. Options and errors are those of
// [CompareContext].
func CompareAll(ctx context.Context, candidates []Candidate, opt CompareOptions) (Reports, error) {
	if len(candidates) < 2 {
		return Reports{}, fmt.Errorf("%d candidates were given, at least 2 are needed", len(candidates))
	}
	all, err := compareWith(ctx, candidates, opt, realEnvironment())
	if err != nil {
		return Reports{}, err
	}
	p := make([]float64, len(all))
	for i := range all {
		p[i] = all[i].Decision.PValue
	}
	return Reports{Reports: all, HolmP: stat.Holm(p)}, nil
}

// String renders the reports one after the other.
func (r Reports) String() string {
	texts := make([]string, len(r.Reports))
	for i, report := range r.Reports {
		texts[i] = report.String()
	}
	return strings.Join(texts, "\n\n")
}
