package spawn

import (
	"encoding/binary"
	"errors"
	"time"
)

// request is what the spawner is told about one command. Files are not in it:
// they are opened by the caller and passed along, so that the spawner needs to
// know nothing about paths.
type request struct {
	path           string
	argv, env      []string
	dir            string
	cpus           []int
	stdout, stderr stream
	timeout, grace time.Duration
	keep           bool
	// hasStdin is set when the first of the files passed along is to be read.
	hasStdin bool
}

// stream is one output of a command as the spawner sees it.
type stream struct {
	kind  OutputKind
	limit int64
}

// takesFile reports whether a file is passed along for the stream.
func (s stream) takesFile() bool { return s.kind == File || s.kind == Head }

// reply is what the spawner answers: a refusal by the system, or an exit.
type reply struct {
	// errno is why the command could not be started, or 0.
	errno int64
	// place is which part of the start failed.
	place  startPlace
	exit   Exit
	stdout kept
	stderr kept
}

// startPlace is a part of starting a command that can fail.
type startPlace int64

const (
	atExec startPlace = iota
	atPipe
	atProcessors
	atWatch
)

func (p startPlace) String() string {
	switch p {
	case atPipe:
		return "making a pipe for its output"
	case atProcessors:
		return "choosing its processors"
	case atWatch:
		return "watching it"
	}
	return "executing it"
}

// kept is what was kept of a stream: for Head only how much, since the bytes are
// in the file.
type kept struct {
	bytes []byte
	size  int64
	cut   bool
}

var errMalformed = errors.New("malformed message")

func (r *request) encode(b []byte) []byte {
	b = appendString(b, r.path)
	b = appendStrings(b, r.argv)
	b = appendStrings(b, r.env)
	b = appendString(b, r.dir)
	b = binary.AppendUvarint(b, uint64(len(r.cpus)))
	for _, cpu := range r.cpus {
		b = binary.AppendVarint(b, int64(cpu))
	}
	for _, s := range []stream{r.stdout, r.stderr} {
		b = append(b, byte(s.kind))
		b = binary.AppendVarint(b, s.limit)
	}
	b = binary.AppendVarint(b, int64(r.timeout))
	b = binary.AppendVarint(b, int64(r.grace))
	b = appendBool(b, r.keep)
	return appendBool(b, r.hasStdin)
}

func decodeRequest(b []byte) (request, error) {
	d := decoder{rest: string(b)}
	r := request{path: d.text(), argv: d.texts(), env: d.texts(), dir: d.text()}
	for range d.count() {
		r.cpus = append(r.cpus, int(d.number()))
	}
	r.stdout, r.stderr = d.stream(), d.stream()
	r.timeout, r.grace = time.Duration(d.number()), time.Duration(d.number())
	r.keep, r.hasStdin = d.truth(), d.truth()
	return r, d.end()
}

// numbers are the fields of a reply that are whole numbers, in the order of the
// message.
func (r *reply) numbers() []*int64 {
	u := &r.exit.Usage
	return []*int64{
		&r.errno, (*int64)(&r.place), (*int64)(&u.Wall), (*int64)(&u.User), (*int64)(&u.System), &u.PeakMemory, &u.MemoryFloor,
		&u.MinorFaults, &u.MajorFaults, &u.VoluntarySwitches, &u.InvoluntarySwitches, (*int64)(&u.RunDelay),
		&u.ReadBytes, &u.WrittenBytes, &u.DiskReadBytes, &u.DiskWrittenBytes, &r.stdout.size, &r.stderr.size,
	}
}

func (r *reply) encode(b []byte) []byte {
	for _, n := range r.numbers() {
		b = binary.AppendVarint(b, *n)
	}
	for _, n := range []int{r.exit.Code, r.exit.Signal, r.exit.LeftBehind} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = appendBool(b, r.exit.TimedOut)
	for _, k := range []kept{r.stdout, r.stderr} {
		b = appendBool(b, k.cut)
		b = appendString(b, string(k.bytes))
	}
	return b
}

func decodeReply(b []byte) (reply, error) {
	d := decoder{rest: string(b)}
	var r reply
	for _, n := range r.numbers() {
		*n = d.number()
	}
	for _, n := range []*int{&r.exit.Code, &r.exit.Signal, &r.exit.LeftBehind} {
		*n = int(d.number())
	}
	r.exit.TimedOut = d.truth()
	for _, k := range []*kept{&r.stdout, &r.stderr} {
		k.cut = d.truth()
		k.bytes = []byte(d.text())
	}
	return r, d.end()
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, all []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = appendString(b, s)
	}
	return b
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// decoder reads a message. After the first mistake it returns zeros. The
// strings that it returns are parts of the message, so that there is little
// garbage.
type decoder struct {
	rest   string
	failed bool
}

func (d *decoder) end() error {
	if d.failed || len(d.rest) > 0 {
		return errMalformed
	}
	return nil
}

func (d *decoder) skip(n int) {
	if n <= 0 {
		d.failed, d.rest = true, ""
		return
	}
	d.rest = d.rest[n:]
}

// start is where a number may stand.
func (d *decoder) start() []byte { return []byte(d.rest[:min(len(d.rest), binary.MaxVarintLen64)]) }

// count reads the number of things to come, each of which takes at least a byte.
func (d *decoder) count() int {
	v, n := binary.Uvarint(d.start())
	d.skip(n)
	if v > uint64(len(d.rest)) {
		d.skip(0)
		return 0
	}
	return int(v)
}

func (d *decoder) number() int64 {
	v, n := binary.Varint(d.start())
	d.skip(n)
	return v
}

func (d *decoder) text() string {
	n := d.count()
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) texts() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	all := make([]string, 0, n)
	for range n {
		all = append(all, d.text())
	}
	return all
}

func (d *decoder) octet() byte {
	if len(d.rest) == 0 {
		d.skip(0)
		return 0
	}
	v := d.rest[0]
	d.rest = d.rest[1:]
	return v
}

func (d *decoder) truth() bool { return d.octet() != 0 }

func (d *decoder) stream() stream { return stream{OutputKind(d.octet()), d.number()} }
