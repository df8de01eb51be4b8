package spawn

import (
	"golang.org/x/sys/unix"
)

// plumbing is where the three streams of a command lead.
type plumbing struct {
	// files are the command's ends.
	files          [3]uintptr
	stdout, stderr *drain
	// theirs are pipe ends that only the command should hold once it runs.
	theirs []int
}

// connect makes the streams of a command out of its request and the files that
// came with it, in the order input, output, error.
func (s *server) connect(r *request, files []int) (*plumbing, error) {
	p := &plumbing{files: [3]uintptr{uintptr(s.null), uintptr(s.null), uintptr(s.null)}}
	next := func() (int, error) {
		if len(files) == 0 {
			return -1, unix.EBADF
		}
		fd := files[0]
		files = files[1:]
		return fd, nil
	}
	if r.hasStdin {
		fd, err := next()
		if err != nil {
			return p, err
		}
		p.files[0] = uintptr(fd)
	}
	for i, to := range []stream{r.stdout, r.stderr} {
		d := &drain{read: -1, file: -1, stream: to}
		if i == 0 {
			p.stdout = d
		} else {
			p.stderr = d
		}
		if to.takesFile() {
			fd, err := next()
			if err != nil {
				return p, err
			}
			d.file = fd
		}
		switch to.kind {
		case Inherit:
			p.files[1+i] = uintptr(1 + i)
		case File:
			p.files[1+i] = uintptr(d.file)
		case Pipe, Head, Tail:
			write, err := d.open()
			if err != nil {
				return p, err
			}
			p.theirs = append(p.theirs, write)
			p.files[1+i] = uintptr(write)
		}
	}
	return p, nil
}

// started closes the command's ends here.
func (p *plumbing) started() {
	closeAll(p.theirs)
	p.theirs = nil
}

func (p *plumbing) close() {
	p.started()
	for _, d := range []*drain{p.stdout, p.stderr} {
		if d != nil {
			d.close()
		}
	}
}

// mostRounds bounds how much is read of a pipe that somebody goes on filling.
const mostRounds = 256

// finish reads what is left in the pipes after the command's end. Pipes that
// somebody still holds are closed, or returned if they are to be kept.
func (p *plumbing) finish(null int, keep bool) (open []*drain) {
	for _, d := range []*drain{p.stdout, p.stderr} {
		for round := 0; d.read >= 0 && round < mostRounds && d.pump(null); round++ {
		}
		switch {
		case d.read < 0:
		case keep:
			open = append(open, &drain{read: d.read, file: -1, stream: stream{kind: Pipe}})
			d.read = -1
		default:
			d.close()
		}
	}
	return open
}

// drain empties one pipe.
type drain struct {
	stream
	read int // -1 when closed or not needed
	file int // where Head goes; it belongs to somebody else
	size int64
	cut  bool
	tail []byte
}

// open makes the pipe and returns the end for the command.
func (d *drain) open() (write int, err error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return -1, err
	}
	d.read = ends[0]
	return ends[1], unix.SetNonblock(d.read, true)
}

func (d *drain) close() {
	if d.read >= 0 {
		_ = unix.Close(d.read)
		d.read = -1
	}
}

// poll asks for the pipe to be watched, if there is one.
func (d *drain) poll() unix.PollFd { return pollIn(d.read) }

// pipeful is more than a pipe usually holds.
const pipeful = 1 << 20

// pump takes once what is in the pipe. It reports whether it found anything,
// and closes the pipe when nobody can write to it any more.
func (d *drain) pump(null int) bool {
	n, err := d.take(null)
	switch {
	case n > 0 || err == unix.EINTR:
		return true
	case err == unix.EAGAIN:
		return false
	}
	d.close()
	return false
}

func (d *drain) take(null int) (int64, error) {
	switch {
	case d.kind == Tail && d.limit > 0:
		return d.remember()
	case d.kind == Head && d.size < d.limit && d.file >= 0:
		n, err := unix.Splice(d.read, nil, d.file, nil, int(min(pipeful, d.limit-d.size)), unix.SPLICE_F_NONBLOCK)
		d.size += int64(max(0, n))
		return int64(n), err
	}
	n, err := unix.Splice(d.read, nil, null, nil, pipeful, unix.SPLICE_F_NONBLOCK)
	d.cut = d.cut || n > 0 && d.kind != Pipe
	return int64(n), err
}

// remember reads into a buffer of twice the limit, so that old bytes are moved
// out of it rarely.
func (d *drain) remember() (int64, error) {
	limit := int(min(d.limit, mostTail))
	if d.tail == nil {
		d.tail = make([]byte, 0, 2*limit)
	}
	if len(d.tail) == cap(d.tail) {
		d.trim(limit)
	}
	n, err := unix.Read(d.read, d.tail[len(d.tail):cap(d.tail)])
	d.tail = d.tail[:len(d.tail)+max(0, n)]
	return int64(n), err
}

func (d *drain) trim(limit int) {
	if old := len(d.tail) - limit; old > 0 {
		d.tail = append(d.tail[:0], d.tail[old:]...)
		d.cut = true
	}
}

// keep returns what was kept of the stream.
func (d *drain) keep() kept {
	if d.tail != nil {
		d.trim(int(min(d.limit, mostTail)))
	}
	return kept{bytes: d.tail, size: d.size, cut: d.cut}
}
