package workload

import "fmt"

// looks is how often a structure is looked at in each part of its check; a look
// takes a time that grows with the elements.
const looks = 16

// CheckStructure plays a build and two cycles on a structure, as a comparison
// does, and looks at what it holds meanwhile: 16 times during each, and at the
// end. contains says whether a key is present. A structure that loses elements,
// or keeps what was deleted, may well look fast; call this once in a test before
// it is compared.
//
// An error names the structure, the element with its key, and after how many
// operations of which part it was absent or present; or the option that is out of
// range. A panic of the structure is an error with its stack.
func CheckStructure[S any](target int, s Structure[S], c Config, contains func(s S, key uint64) bool) error {
	subject := Bind(s)
	if err := checkSubjects([]Subject{subject}); err != nil {
		return err
	}
	if contains == nil {
		return fmt.Errorf("%s: contains is nil and has to say whether a key is present", structureName(s.Name))
	}
	build, err := Build(target, c)
	if err != nil {
		return err
	}
	cycle, err := Cycle(target, c)
	if err != nil {
		return err
	}
	k := &structureCheck[S]{Structure: s, contains: contains, config: c, present: map[uint32]bool{}, known: map[uint32]bool{}}
	if err := guard("New of "+structureName(s.Name), func() { k.instance = s.New() }); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		ops  []Op
	}{{"build", build}, {"first cycle", cycle}, {"second cycle", cycle}} {
		if err := k.play(part.name, part.ops); err != nil {
			return err
		}
	}
	return nil
}

func structureName(name string) string {
	if name == "" {
		return "the structure"
	}
	return fmt.Sprintf("structure %q", name)
}

// structureCheck holds an instance against a set.
type structureCheck[S any] struct {
	Structure[S]
	instance S
	contains func(S, uint64) bool
	config   Config
	// present is what the structure should hold, known every element that
	// occurred.
	present, known map[uint32]bool
}

// play applies a part in as many runs as there are looks.
func (k *structureCheck[S]) play(part string, ops []Op) error {
	length := max(1, (len(ops)+looks-1)/looks)
	for from := 0; from < len(ops); from += length {
		run := ops[from:min(from+length, len(ops))]
		if err := guard("Apply of "+structureName(k.Name), func() { k.Apply(k.instance, run) }); err != nil {
			return err
		}
		for _, op := range run {
			switch op.Kind {
			case Scan:
				continue // its ID is a length
			case Insert:
				k.present[op.ID] = true
			case Delete:
				delete(k.present, op.ID)
			}
			k.known[op.ID] = true
		}
		if err := k.look(part, from+len(run)); err != nil {
			return err
		}
	}
	return nil
}

// look asks for every element that occurred so far and names the first that is
// wrong, which is the one with the smallest number.
func (k *structureCheck[S]) look(part string, played int) error {
	wrong, found := uint32(none), false
	err := guard("contains of "+structureName(k.Name), func() {
		for id := range k.known {
			if id <= wrong && k.contains(k.instance, k.config.Key(id)) != k.present[id] {
				wrong, found = id, true
			}
		}
	})
	if err != nil || !found {
		return err
	}
	problem := "is present and was deleted, or never inserted"
	if k.present[wrong] {
		problem = "is absent and was inserted"
	}
	return fmt.Errorf("%s: after %d operations of the %s, element %d with key %#x %s", structureName(k.Name), played, part, wrong, k.config.Key(wrong), problem)
}
