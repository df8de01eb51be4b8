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
// The first stage runs 6 processes and looks at their scatter once. From it
// follows how many processes the wanted precision takes (Stein 1945), and
// exactly that many run. Below the largest number allowed, the interval is the
// wider one of Stein's and the plain t interval; at the largest number it is the
// plain one, because then the scatter did not choose the size.
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
// environment, and [Process.Rand]. The order of building the two fixtures of a
// pair alternates with the process's index.
//
// A child lives no longer than its parent and ends with everything it has
// started, whether the parent ends, is interrupted or is killed.
package multiproc
