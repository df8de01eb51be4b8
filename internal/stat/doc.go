// Package stat holds the statistics of rtcompare as plain functions.
//
// Numbers go in and numbers come out. Nothing here reads a clock, opens a
// file, starts a goroutine or keeps state between calls, so every function may
// be called from several goroutines at once. No function changes the slice it
// is given, except [MedianInPlace], whose name says so. No input makes a
// function panic: where no answer exists the result is NaN, or the value that
// the function's comment names.
//
// The package has five parts:
//
//   - descriptions of one series: [Median], [Quantile], [Midranks],
//     [MeanAndSD], [RootMeanSquare], [Lag1], [SpearmanTrend];
//   - reference distributions: normal, Student's t, beta and binomial;
//   - the exact bootstrap law of a median, [MedianDistribution], and of the
//     relative difference of two medians, [MedianRatio];
//   - intervals: rank intervals for a median that may be autocorrelated
//     ([RankIntervals]), confidence sequences that stay valid at every look,
//     and the ratio of two spreads ([SpreadRatio]);
//   - many results at once: [Cochran], [MeanInterval], [Holm],
//     [BenjaminiHochberg].
package stat
