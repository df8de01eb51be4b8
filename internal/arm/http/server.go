package httparm

import (
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/load"
)

// server is the processes behind an address of this machine, as far as they can
// be found. The zero value knows none.
type server struct {
	root   string // where /proc is
	given  []int
	places []load.Place
	pids   []int
}

// find looks for the processes that listen where the requests go. This process
// is not among them: its time would be the generator's too.
func (s *server) find() {
	s.pids = s.given
	if len(s.given) > 0 {
		return
	}
	inodes := map[string]bool{}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(s.path("net", table))
		if err != nil {
			continue
		}
		for _, l := range listeners(string(text)) {
			if s.isAsked(l.address) {
				inodes[l.inode] = true
			}
		}
	}
	if text, err := os.ReadFile(s.path("net", "unix")); err == nil {
		for _, place := range s.places {
			for _, inode := range socketInodes(string(text), place.Socket) {
				inodes[inode] = true
			}
		}
	}
	s.pids = s.holders(inodes)
}

func (s *server) path(parts ...string) string {
	root := s.root
	if root == "" {
		root = "/"
	}
	return filepath.Join(append([]string{root, "proc"}, parts...)...)
}

// isAsked reports whether requests to one of the places arrive at a listener.
func (s *server) isAsked(listening netip.AddrPort) bool {
	for _, place := range s.places {
		if !place.Address.IsValid() || place.Address.Port() != listening.Port() || !isLocal(place.Address.Addr()) {
			continue
		}
		if asked := place.Address.Addr(); asked.IsUnspecified() || listening.Addr().IsUnspecified() || listening.Addr() == asked {
			return true
		}
	}
	return false
}

// isLocal reports whether an address belongs to this machine.
func isLocal(address netip.Addr) bool {
	if address.IsLoopback() || address.IsUnspecified() {
		return true
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(own, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr() == address
	})
}

// holders are the processes that have one of the sockets open, in order. What
// may not be looked at is left out.
func (s *server) holders(inodes map[string]bool) []int {
	var pids []int
	if len(inodes) == 0 {
		return nil
	}
	entries, err := os.ReadDir(s.path())
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && pid != os.Getpid() && s.holds(pid, inodes) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

func (s *server) holds(pid int, inodes map[string]bool) bool {
	directory := s.path(strconv.Itoa(pid), "fd")
	files, err := os.ReadDir(directory)
	if err != nil {
		return false
	}
	for _, file := range files {
		link, err := os.Readlink(filepath.Join(directory, file.Name()))
		if err != nil {
			continue
		}
		inode, ok := strings.CutPrefix(link, "socket:[")
		if ok && inodes[strings.TrimSuffix(inode, "]")] {
			return true
		}
	}
	return false
}

// cpu is the processor time that all threads of the server's processes have used,
// ended ones too. ok is false where no process is known or one is gone.
func (s *server) cpu() (used time.Duration, ok bool) {
	for _, pid := range s.pids {
		one, ok := processTime(s.path(strconv.Itoa(pid)), pid)
		if !ok {
			return 0, false
		}
		used += one
	}
	return used, len(s.pids) > 0
}

// threadTimes adds up the first number of every thread's schedstat: nanoseconds
// on a processor. Threads that have ended are missing.
func threadTimes(process string) (used time.Duration, ok bool) {
	files, err := filepath.Glob(filepath.Join(process, "task", "*", "schedstat"))
	if err != nil {
		return 0, false
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended between the two calls
		}
		first, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(n)
	}
	return used, len(files) > 0
}

// listener is a line of /proc/net/tcp.
type listener struct {
	address netip.AddrPort
	inode   string
}

// listeners returns the sockets that listen. Lines that cannot be read are left
// out.
func listeners(text string) []listener {
	var found []listener
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		const listening = "0A"
		if len(words) < 10 || words[3] != listening {
			continue
		}
		if address, ok := parseAddress(words[1]); ok {
			found = append(found, listener{address: address, inode: words[9]})
		}
	}
	return found
}

// parseAddress reads "0100007F:1F90": words of 32 bits as the machine stores
// them, and a port.
func parseAddress(text string) (netip.AddrPort, bool) {
	digits, port, _ := strings.Cut(text, ":")
	number, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for at := 0; at < len(raw); at += 4 {
		binary.NativeEndian.PutUint32(raw[at:], binary.BigEndian.Uint32(raw[at:]))
	}
	address, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(address.Unmap(), uint16(number)), ok
}

// socketInodes returns the inodes of the Unix sockets of a path from
// /proc/net/unix.
func socketInodes(text, path string) []string {
	var found []string
	if path == "" {
		return nil
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) >= 8 && strings.Join(words[7:], " ") == path {
			found = append(found, words[6])
		}
	}
	return found
}
