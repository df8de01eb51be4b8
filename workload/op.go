package workload

import "fmt"

// Kind says what an operation does.
type Kind uint8

const (
	// Insert adds an element that is absent.
	Insert Kind = iota
	// Delete removes an element that is present.
	Delete
	// Lookup reads an element that is present.
	Lookup
	// LookupMiss looks for an element that is absent.
	LookupMiss
	// Update replaces the value of an element that is present. It occurs only
	// where Config.Updates asks for it; see [Op.Value] for a value.
	Update
	// Scan visits elements in ascending order of their keys, beginning at the
	// first whose key is at least Op.Key. It occurs only where Config.Scans
	// asks for it. Op.ID is not an element but how many elements to visit; where
	// the structure ends earlier, so does the scan.
	Scan

	// kinds is how many kinds there are.
	kinds = int(Scan) + 1
)

// String returns "insert", "delete", "lookup", "lookup miss", "update", "scan",
// or "Kind(n)".
func (k Kind) String() string {
	switch k {
	case Insert:
		return "insert"
	case Delete:
		return "delete"
	case Lookup:
		return "lookup"
	case LookupMiss:
		return "lookup miss"
	case Update:
		return "update"
	case Scan:
		return "scan"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Op is one operation. It takes 16 bytes.
type Op struct {
	// Key is the element's key. For a Scan it is where the scan begins.
	Key uint64
	// ID is the element's number. For a Scan it is how many elements to visit.
	ID uint32
	// Kind says what to do.
	Kind Kind
}

// Value returns a number to store as the element's value. It depends on the key
// and on index only, which may be the operation's place in the stream or in the
// run that Apply was given: with it an update stores something else than the
// insertion did. It costs about a nanosecond; use [Align] to have values ready
// before anything is timed.
func (o Op) Value(index int) uint64 { return mix(o.Key + uint64(index)*gamma) }
