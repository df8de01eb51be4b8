// Package multiproc runs comparisons in several fresh processes and pools them.
//
// A process fixes where its code, its data and its stacks lie in memory, for
// life. For data beyond the caches, and for anything full of pointers, that
// alone moves a difference by several percent, and no repetition inside the
// process shows it: one process is one observation. This package starts the
// running program again and again, gives each process another place in memory,
// lets it run the comparisons, and pools what they report:
//
//	func main() {
//		multiproc.Main(multiproc.Options{}, multiproc.Pair{
//			Name: "lookup", A: newMap, B: newTree,
//		})
//	}
//
// In a test, [RunTest] does the same. [Run] and [RunContext] are for programs
// that go on with the results. A suite is a function that builds fixtures,
// compares, and records reports; [Pairs] makes one from pairs of builders.
//
// # How many processes
//
// The first stage runs 6 processes. From their scatter follows how many the
// wanted precision takes (Stein 1945). Six know their own scatter badly, so the
// second stage ends with three tenths of that number, and asks again, once. The
// third runs exactly what the second asks for. A first stage of fewer than 6
// decides by itself. Below the largest number allowed, the interval is the wider
// one of the plain t interval and of that with the scatter of the processes that
// decided; at the largest number it is the plain one, because then the scatter
// did not choose the size.
//
// The precision is that of Delta with the faster candidate in the place of A, so
// that the size of a run does not depend on which of the two is called A.
//
// # What a process is
//
// The parent never runs the suite. A child is the same program with the same
// arguments, in which exactly one call of this package runs its suite: the call
// that started it. All calls before that one return at once, with the results
// that they had in the parent and with Results.Child and Results.Skipped set. So
// what a program does before the call and between calls happens in every child
// again: build fixtures in the suite, and let everything else depend on Child.
// In tests the children run only the test that made the call, and the package's
// TestMain.
//
// Each child has its own seed. From it come the heap that
// [rtcompare.PerturbHeap] fills, the place of the stack, the size of the
// environment, [Process.Rand], and on Linux the order in which physical memory is
// handed out: as much as a process before it held is taken and given back in
// random order first. The order of building the two fixtures of a
// pair alternates with the process's index.
//
// A child lives no longer than its parent and ends with everything it has
// started, whether the parent ends, is interrupted or is killed.
package multiproc
