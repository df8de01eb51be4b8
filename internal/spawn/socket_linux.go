package spawn

import (
	"encoding/binary"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// messageKind is what a message between the two processes is about.
type messageKind byte

const (
	// hello is the first message. It brings the diary, and ready answers it.
	hello messageKind = iota + 1
	ready
	// run asks for a command, and ran answers it.
	run
	ran
	// cancel ends the command that runs, if one does.
	cancel
	// finish ends everything; the spawner exits instead of an answer.
	finish
)

const (
	// headerSize is the length of the payload, the kind, and the number of
	// files passed along.
	headerSize = 6
	// mostPayload bounds what a damaged header can ask for. Linux bounds the
	// arguments and the environment together at 6 MiB.
	mostPayload = 8 << 20
	// mostFiles is standard input, output and error.
	mostFiles = 3
)

// header begins every message.
func header(kind messageKind, payload, files int) [headerSize]byte {
	var h [headerSize]byte
	binary.LittleEndian.PutUint32(h[:4], uint32(payload))
	h[4], h[5] = byte(kind), byte(files)
	return h
}

// parseHeader takes a header apart.
func parseHeader(h [headerSize]byte) (kind messageKind, payload, files int, err error) {
	size := binary.LittleEndian.Uint32(h[:4])
	if size > mostPayload || h[5] > mostFiles {
		return 0, 0, 0, errMalformed
	}
	return messageKind(h[4]), int(size), int(h[5]), nil
}

// sendAll sends a whole message over a blocking socket. Files go with its first
// byte.
func sendAll(socket int, kind messageKind, payload []byte) error {
	h := header(kind, len(payload), 0)
	rest := append(h[:], payload...)
	for len(rest) > 0 {
		n, err := unix.SendmsgN(socket, rest, nil, nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("sending an answer: %w", err)
		}
		rest = rest[n:]
	}
	return nil
}

// message is one message as received. The buffer of its payload is used again
// for the next one.
type message struct {
	kind    messageKind
	payload []byte
	files   []int
}

// receiver reads messages from a blocking socket.
type receiver struct {
	socket  int
	buffer  []byte
	control [64]byte
}

// next waits for a message. It returns io.EOF when the other side is gone.
func (r *receiver) next() (message, error) {
	var h [headerSize]byte
	var m message
	for got := 0; got < headerSize; {
		n, passed, _, _, err := unix.Recvmsg(r.socket, h[got:], r.control[:], unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return m, fmt.Errorf("receiving a message: %w", err)
		}
		if n == 0 {
			return m, io.EOF
		}
		m.files = append(m.files, passedFiles(r.control[:passed])...)
		got += n
	}
	kind, size, files, err := parseHeader(h)
	if err != nil || files != len(m.files) {
		closeAll(m.files)
		return m, errMalformed
	}
	if cap(r.buffer) < size {
		r.buffer = make([]byte, size)
	}
	m.kind, m.payload = kind, r.buffer[:size]
	if err := r.fill(m.payload); err != nil {
		closeAll(m.files)
		return m, err
	}
	return m, nil
}

func (r *receiver) fill(b []byte) error {
	for len(b) > 0 {
		n, err := unix.Read(r.socket, b)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("receiving a message: %w", err)
		}
		if n == 0 {
			return io.EOF
		}
		b = b[n:]
	}
	return nil
}

// passedFiles are the files that came with a message.
func passedFiles(control []byte) []int {
	if len(control) == 0 {
		return nil
	}
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return nil
	}
	var files []int
	for i := range messages {
		if fds, err := unix.ParseUnixRights(&messages[i]); err == nil {
			files = append(files, fds...)
		}
	}
	return files
}

func closeAll(files []int) {
	for _, fd := range files {
		_ = unix.Close(fd)
	}
}
