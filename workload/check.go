package workload

import (
	"fmt"
	"slices"
)

// Check replays a stream against a set that begins with the IDs of start, and
// returns the first offence with the number of its operation: an insertion of
// what is present, a deletion, lookup or update of what is absent, a missing
// lookup of what is present, a scan of no elements, or an unknown kind. At the
// end exactly the IDs of end have to be present.
//
// It also holds keys against IDs: an ID has one key throughout, and no two IDs
// share one. A stream in which every key is zero counts as one without keys.
// Scans may begin at any key.
//
// An ID that occurs twice in start is an error. Check never panics, whatever
// the stream holds. It needs about 100 bytes for each element.
func Check(ops []Op, start, end []uint32) error {
	m, err := newModel(start)
	if err != nil {
		return err
	}
	m.keyed = slices.ContainsFunc(ops, func(op Op) bool { return op.Key != 0 })
	for i, op := range ops {
		if problem := m.play(op); problem != "" {
			return fmt.Errorf("operation %d, %s of %s: %s", i, op.Kind, object(op), problem)
		}
	}
	return m.compare(end)
}

func object(op Op) string {
	if op.Kind == Scan {
		return fmt.Sprintf("%d elements from key %#x", op.ID, op.Key)
	}
	if op.Key == 0 {
		return fmt.Sprintf("element %d", op.ID)
	}
	return fmt.Sprintf("element %d with key %#x", op.ID, op.Key)
}

// model is a set of elements, with the keys seen so far.
type model struct {
	present map[uint32]bool
	keyed   bool
	keys    map[uint32]uint64
	owners  map[uint64]uint32
}

func newModel(start []uint32) (*model, error) {
	m := &model{present: make(map[uint32]bool, len(start)), keys: map[uint32]uint64{}, owners: map[uint64]uint32{}}
	for _, id := range start {
		if m.present[id] {
			return nil, fmt.Errorf("element %d occurs twice among those present at the start", id)
		}
		m.present[id] = true
	}
	return m, nil
}

// play performs an operation and returns what is wrong with it, or "".
func (m *model) play(op Op) string {
	if op.Kind == Scan {
		if op.ID == 0 {
			return "a scan has to visit at least one element"
		}
		return ""
	}
	if problem := m.checkKey(op); problem != "" {
		return problem
	}
	present := m.present[op.ID]
	switch op.Kind {
	case Insert:
		m.present[op.ID] = true
		if present {
			return "it is already present"
		}
	case Delete:
		delete(m.present, op.ID)
		if !present {
			return "it is absent"
		}
	case Lookup, Update:
		if !present {
			return "it is absent"
		}
	case LookupMiss:
		if present {
			return "it is present"
		}
	default:
		return "there is no such kind of operation"
	}
	return ""
}

func (m *model) checkKey(op Op) string {
	if !m.keyed {
		return ""
	}
	if key, known := m.keys[op.ID]; known {
		if key != op.Key {
			return fmt.Sprintf("its key is %#x here and was %#x before", op.Key, key)
		}
		return ""
	}
	if owner, taken := m.owners[op.Key]; taken {
		return fmt.Sprintf("its key %#x is that of element %d", op.Key, owner)
	}
	m.keys[op.ID], m.owners[op.Key] = op.Key, op.ID
	return ""
}

// compare holds what is present against the expected end.
func (m *model) compare(end []uint32) error {
	expected := make(map[uint32]bool, len(end))
	for _, id := range end {
		if !m.present[id] {
			return fmt.Errorf("%s is missing at the end", m.name(id))
		}
		expected[id] = true
	}
	extra, smallest := 0, uint32(none)
	for id := range m.present {
		if !expected[id] {
			extra++
			smallest = min(smallest, id)
		}
	}
	if extra > 0 {
		return fmt.Errorf("%d elements are present at the end that should not be, the smallest is %s", extra, m.name(smallest))
	}
	return nil
}

// name is an element with its key, as far as the stream told it.
func (m *model) name(id uint32) string {
	if key, known := m.keys[id]; known {
		return fmt.Sprintf("element %d with key %#x", id, key)
	}
	return fmt.Sprintf("element %d", id)
}
