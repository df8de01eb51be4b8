// Package benchtext reads what `go test -bench` prints: text, the event stream
// of `go test -json`, plain or gzipped. [Reader] reads one stream and [Files]
// several in turn.
//
// Results come in the order they were written, with file and line. A benchmark
// that logs tears its own result line apart; where only one reading is possible
// the line is put together again, otherwise it is reported, see [Problem].
// Memory is bounded by the longest line that is allowed and by what the results
// have in common (names, units, configurations), not by the length of the file.
//
// The format is Go's benchmark format (golang.org/design/14313-benchmark-format).
// The package knows nothing about statistics, tables or columns.
package benchtext
