package httparm

import (
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/record"
)

// The server works for at least a millisecond on every request. That is known
// from its own clock, so what was read may be more, and hardly less: a process
// that lost its processor while it watched the clock used less than it waited.
func TestServerProcessorTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	for _, network := range []string{"tcp 127.0.0.1:0", "tcp [::]:0", "unix " + filepath.Join(t.TempDir(), "s")} {
		address, pid := startServer(t, network)
		target := load.Target{URLs: []string{"http://" + address + "/busy"}}
		if network[:4] == "unix" {
			target = load.Target{URLs: []string{"http://a/busy"}, Socket: address}
		}
		s := open(t, Spec{Target: target}).(*session)
		if !slices.Equal(s.server.pids, []int{pid}) {
			t.Fatalf("%s: processes %v, want %d", network, s.server.pids, pid)
		}
		sample := do(t, s, engine.Request{N: 50})
		if sample.CPU < int64(10*time.Millisecond) || sample.CPU > 2*sample.Wall+int64(200*time.Millisecond) {
			t.Errorf("%s: %v of processor time for 50 requests of 1 ms in %v", network, time.Duration(sample.CPU), time.Duration(sample.Wall))
		}
		threads, ok := threadTimes("/proc/" + strconv.Itoa(pid))
		if all, known := s.server.cpu(); !ok || !known || threads < all/2 || threads > 2*all {
			t.Errorf("%s: %v by its threads, %v by its clock", network, threads, all)
		}
	}
}

func TestServerThatIsGone(t *testing.T) {
	s := open(t, Spec{
		Target:     load.Target{URLs: []string{newServer(t, http.NotFound).URL}, Expect: []int{404}},
		ServerPIDs: []int{1 << 30},
	})
	sample := do(t, s, engine.Request{N: 5})
	if sample.CPU != -1 {
		t.Errorf("processor time %d of a process that is not there", sample.CPU)
	}
	cell := record.Cell{Wall: []int64{1, 2}, CPU: []int64{1}}
	if err := s.(engine.Reporter).Report(&cell); err != nil || cell.CPU != nil {
		t.Errorf("a series with gaps was kept: %v, %v", cell.CPU, err)
	}
}

// A copy of /proc on which a server of two processes listens.
func TestFindInACopy(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, "proc", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hold := func(pid, inode string) {
		t.Helper()
		directory := filepath.Join(root, "proc", pid, "fd")
		if err := os.MkdirAll(directory, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("socket:["+inode+"]", filepath.Join(directory, "3")); err != nil {
			t.Skip(err)
		}
	}
	write("net/tcp6", "  sl  local_address rem_address st\n   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1\n")
	write("net/unix", "Num RefCount Protocol Flags Type St Inode Path\n0: 00000002 00000000 00010000 0001 01 4712 /run/a b\n")
	hold("10", "4711")
	hold("9", "4711")
	hold("11", "4712")
	hold("12", "1")
	write("9/task/9/schedstat", "1000 2 3\n")
	write("9/task/19/schedstat", "200 2 3\n")
	write("10/task/10/schedstat", "30 2 3\n")
	s := server{root: root, places: []load.Place{{Address: netip.MustParseAddrPort("127.0.0.1:8080")}}}
	if s.find(); !slices.Equal(s.pids, []int{9, 10}) {
		t.Errorf("processes %v, want 9 and 10", s.pids)
	}
	if used, ok := s.cpu(); !ok || used != 1230 {
		t.Errorf("%d ns, %v, want 1230", used, ok)
	}
	for place, want := range map[load.Place][]int{
		{Address: netip.MustParseAddrPort("127.0.0.1:8081")}: nil,
		{Address: netip.MustParseAddrPort("192.0.2.1:8080")}: nil, // another machine
		{Address: netip.MustParseAddrPort("[::1]:8080")}:     {9, 10},
		{Socket: "/run/a b"}: {11},
	} {
		s := server{root: root, places: []load.Place{place}}
		if s.find(); !slices.Equal(s.pids, want) {
			t.Errorf("%v: processes %v, want %v", place, s.pids, want)
		}
	}
}

func FuzzListeners(f *testing.F) {
	f.Add("  0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 4711")
	f.Add("  0: B80D0120000000000000000001000000:1F90 0:0 0A 0:0 0:0 0 0 0 4711 x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range listeners(text) {
			if !l.address.IsValid() || l.inode == "" {
				t.Errorf("%q became %v", text, l)
			}
		}
		socketInodes(text, "/run/a")
	})
}
