// Package workload makes streams of insertions, deletions and other operations
// for mutable data structures, and compares structures under them.
//
// A map, a tree or a cache that is only filled and read behaves unlike one whose
// elements come and go. Measuring the latter by hand goes wrong in quiet ways:
// the loop deletes what is not there and times nothing, or it times the choice
// of its victims, or the structure grows from batch to batch, so that the later
// batches measure something else. A stream of this package is computed before
// anything is timed, every operation in it is valid, and a [Cycle] ends with the
// very elements it began with, so that it can be played for ever.
//
// Describe a structure once and compare:
//
//	goMap := workload.Structure[map[uint64]uint64]{
//		Name: "map",
//		New:  func() map[uint64]uint64 { return map[uint64]uint64{} },
//		Apply: func(m map[uint64]uint64, run []workload.Op) {
//			for _, op := range run {
//				switch op.Kind {
//				case workload.Insert:
//					m[op.Key] = op.Key
//				case workload.Delete:
//					delete(m, op.Key)
//				}
//			}
//		},
//	}
//	result, err := workload.Compare(100_000, goMap, other, workload.Options{})
//
// The answer has two parts, because they often differ: the steady state, where a
// structure of constant size takes insertions and deletions, and the build, from
// empty to full.
//
// # Elements
//
// An element has a number, its ID, and a key that follows from it ([Config.Key]).
// IDs below the target are the permanent elements, which are present at rest.
// The IDs above are transient: each is inserted once and deleted once in a
// cycle. IDs above those belong to lookups that find nothing.
//
// # Beyond insertions and deletions
//
// [Config] adds lookups, updates and range scans, popular elements (a Zipf law
// or a hot set), clustered keys and victims. [CompareAll] takes any number of
// structures of different types, [BindTyped] gives them keys and values of any
// type, and [Options] asks for memory per element, for the costs of each kind of
// operation, and for several goroutines. Package multiproc runs a [Suite] in
// several processes, which data beyond the caches needs, and [Pool] reads what
// they found. [CheckStructure] looks whether a structure does what it is asked to.
package workload
