// Package rtcompare measures two ways of doing something in Go and says whether
// one of them is really faster, by how much, and how sure that is.
//
// Write each way as a [Candidate], whose Batch runs the code n times, and call
// [Compare]:
//
//	report, err := rtcompare.Compare(a, b, rtcompare.CompareOptions{Budget: 3 * time.Second})
//	if err != nil { ... }
//	fmt.Println(report)
//
// The answer is a [Report]. Its Decision holds the verdict: one of the two is
// faster, they are equivalent within a margin, this run cannot tell, or the
// setup cannot measure it. An interval says how large the difference is, and
// Warnings says in plain words what weakens the answer.
//
// # How it measures
//
// Batches of the two candidates alternate within microseconds, in the order
// A B, B A, so that whatever happens to the machine happens to both. Each pair
// of neighbouring batches gives one ratio, and the median ratio is the
// estimate. Each candidate is also measured against itself in the same way:
// what identical code shows as a difference is part of the interval.
//
// With a Budget or a Precision the comparison runs in short units and ends as
// soon as the answer is clear. Without them it follows the fixed protocol of
// the published rtcompare: 40 runs of identical code for each candidate, then
// 101 pairs.
//
// # Statistics
//
// The bootstrap distribution of a median is computed exactly instead of drawn
// (Efron 1979; Maritz and Jarrett 1978), so that no result depends on a seed or
// on a number of resamples. A decision is the hull of an exact rank interval, a
// t interval over the runs of identical code, and what the clock's rounding
// can produce. See [Decision] and BACKGROUND.md.
//
// This is an independent implementation of the API of the published rtcompare
// module, version 0.8.1. A program written for it compiles with the import path
// changed. Differences on purpose are listed in CHANGELOG.md.
package rtcompare
