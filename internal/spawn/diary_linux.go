package spawn

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// The diary is a pipe into which the spawner writes the number of the command
// that it has started, and 0 when that has ended. Nobody waits at its other end,
// so that writing wakes nobody next to the command. It is read when the spawner
// has died: the kernel then kills the command itself, and the parent the rest of
// its process group.

const diaryEntry = 4

// note makes an entry. One that does not fit is lost, and with it no more than
// the help that it would have been.
func (s *server) note(pid int) {
	var entry [diaryEntry]byte
	binary.LittleEndian.PutUint32(entry[:], uint32(pid))
	_, _ = unix.Write(s.diary, entry[:])
}

// lastEntry reads all that is in a diary, and returns the last entry, or 0.
func lastEntry(diary int) (pid int) {
	var entries [512 * diaryEntry]byte
	for {
		n, err := unix.Read(diary, entries[:])
		if err == unix.EINTR {
			continue
		}
		if n < diaryEntry {
			return pid
		}
		pid = int(int32(binary.LittleEndian.Uint32(entries[n-diaryEntry : n])))
	}
}
