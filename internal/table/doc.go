// Package table arranges the results of benchmarks in rows and columns and
// compares the columns.
//
// A [Builder] takes results and sorts their values into tables by the
// projections and filters of golang.org/x/perf/benchproc; a [Set] is what comes
// out, with every value in the order it was written and with findings about the
// input as values. [Set.Judge] compares each column with the first, row by row,
// and all rows together at one error rate. [Set.Benchstat] and [OldCollection]
// compute the numbers of two older programs, digit for digit.
//
// The package holds no words for users beyond errors, and reads no file.
package table
