package workload_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rtcompare/rtcompare/workload"
)

// applyToMap is the loop that gets timed: the operations and nothing else.
func applyToMap(m map[uint64]bool, run []workload.Op) {
	for _, op := range run {
		switch op.Kind {
		case workload.Insert:
			m[op.Key] = true
		case workload.Delete:
			delete(m, op.Key)
		}
	}
}

// A build fills a structure, and a cycle leaves it as it was.
func Example() {
	config := workload.Config{Seed: 1}
	build, err := workload.Build(1000, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	cycle, err := workload.Cycle(1000, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := map[uint64]bool{}
	applyToMap(m, build)
	fmt.Println("after the build:", len(m), "elements")
	applyToMap(m, cycle)
	fmt.Println("after", len(cycle), "operations more:", len(m), "elements")
	// Output:
	// after the build: 1000 elements
	// after 2000 operations more: 1000 elements
}

// A cursor plays a cycle for ever, in runs that are as long as possible.
func ExampleCursor() {
	cycle, err := workload.Cycle(4, workload.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var cursor workload.Cursor
	batch := cursor.Batch(cycle, func(run []workload.Op) { fmt.Print(len(run), " ") })
	for range 3 {
		batch(5)
	}
	fmt.Println("of", len(cycle), "and now at", cursor.Position())
	// Output: 5 3 2 5 of 8 and now at 7
}

// Check tells what a stream of one's own does wrong.
func ExampleCheck() {
	ops := []workload.Op{
		{Key: 70, ID: 7, Kind: workload.Insert},
		{Key: 80, ID: 8, Kind: workload.Delete},
	}
	fmt.Println(workload.Check(ops, nil, []uint32{7}))
	// Output: operation 1, delete of element 8 with key 0x50: it is absent
}

// Keys of any type are computed before anything is timed.
func ExampleAlign() {
	cycle, err := workload.Cycle(3, workload.Config{Keys: workload.Sequential})
	if err != nil {
		fmt.Println(err)
		return
	}
	keys := workload.Align(cycle, func(op workload.Op, _ int) string { return "user-" + strconv.FormatUint(op.Key, 10) })
	users := map[string]bool{"user-0": true, "user-1": true, "user-2": true}
	var cursor workload.Cursor
	batch := cursor.Batch(cycle, func(run []workload.Op) {
		for i, key := range keys.For(run) {
			if run[i].Kind == workload.Insert {
				users[key] = true
			} else {
				delete(users, key)
			}
		}
	})
	batch(100 * uint64(len(cycle)))
	fmt.Println(users)
	// Output: map[user-0:true user-1:true user-2:true]
}

// Structures of different types, with different types of keys, in one
// comparison, with memory and the costs of each kind of operation.
func ExampleCompareAll() {
	goMap := workload.Structure[map[uint64]bool]{
		Name:  "map",
		New:   func() map[uint64]bool { return map[uint64]bool{} },
		Apply: applyToMap,
	}
	sorted := workload.TypedStructure[*[]string, string]{
		Name:  "sorted slice of strings",
		New:   func() *[]string { return new([]string) },
		Value: func(op workload.Op, _ int) string { return strconv.FormatUint(op.Key, 36) },
		Apply: func(s *[]string, run []workload.Op, keys []string) {
			for i, op := range run {
				at, _ := slices.BinarySearch(*s, keys[i])
				switch op.Kind {
				case workload.Insert:
					*s = slices.Insert(*s, at, keys[i])
				case workload.Delete:
					*s = slices.Delete(*s, at, at+1)
				}
			}
		},
	}
	opt := workload.Options{MemoryBuilds: 5, KindTime: time.Second}
	opt.SteadyState.Budget, opt.Build.Budget = 5*time.Second, 5*time.Second
	r, err := workload.CompareAll(context.Background(), 10_000, []workload.Subject{workload.Bind(goMap), workload.BindTyped(sorted)}, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r)
}
