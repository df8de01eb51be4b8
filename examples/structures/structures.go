package main

import (
	"github.com/huandu/skiplist"
	"github.com/tidwall/btree"

	"github.com/rtcompare/rtcompare/workload"
)

// sink takes what lookups find, so that the compiler cannot leave them out.
var sink uint64

// subjects are the structures; the others are compared with the first.
func subjects() []workload.Subject {
	return []workload.Subject{workload.Bind(goMap), workload.Bind(bTree), workload.Bind(skipList)}
}

// goMap is the built-in map.
var goMap = workload.Structure[map[uint64]uint64]{
	Name: "map",
	New:  func() map[uint64]uint64 { return make(map[uint64]uint64) },
	Apply: func(m map[uint64]uint64, run []workload.Op) {
		for _, op := range run {
			switch op.Kind {
			case workload.Insert:
				m[op.Key] = op.Key
			case workload.Delete:
				delete(m, op.Key)
			default:
				sink += m[op.Key]
			}
		}
	},
}

// bTree is github.com/tidwall/btree, its variant for ordered keys without locks.
var bTree = workload.Structure[*btree.Map[uint64, uint64]]{
	Name: "B-tree",
	New:  func() *btree.Map[uint64, uint64] { return new(btree.Map[uint64, uint64]) },
	Apply: func(t *btree.Map[uint64, uint64], run []workload.Op) {
		for _, op := range run {
			switch op.Kind {
			case workload.Insert:
				t.Set(op.Key, op.Key)
			case workload.Delete:
				t.Delete(op.Key)
			default:
				value, _ := t.Get(op.Key)
				sink += value
			}
		}
	},
}

// skipList is github.com/huandu/skiplist.
var skipList = workload.Structure[*skiplist.SkipList]{
	Name: "skip list",
	New:  func() *skiplist.SkipList { return skiplist.New(skiplist.Uint64) },
	Apply: func(l *skiplist.SkipList, run []workload.Op) {
		for _, op := range run {
			switch op.Kind {
			case workload.Insert:
				l.Set(op.Key, op.Key)
			case workload.Delete:
				l.Remove(op.Key)
			default:
				if value, ok := l.GetValue(op.Key); ok {
					sink += value.(uint64)
				}
			}
		}
	},
}
