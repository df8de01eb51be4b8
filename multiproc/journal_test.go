package multiproc_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/multiproc"
)

func init() { programs["journaled"] = journaled }

// journaled runs processes that only depend on their seeds, and prints all that
// was found. Its arguments are the journal, how many processes there may be at a
// time, the wait in each, and whether the first attempt at process 2 crashes. The
// first stage has 8 processes, the second ends with more and the third with still more.
func journaled(args []string) {
	parallel, _ := strconv.Atoi(args[1])
	wait, _ := time.ParseDuration(args[2])
	opt := multiproc.Options{Journal: args[0], Parallel: parallel, Seed: 77, MinProcesses: 8, AbsPrecision: 0.005, RelPrecision: 1e-9, Args: args}
	if seed := os.Getenv("MULTIPROC_TEST_SEED"); seed != "" {
		opt.Seed, _ = strconv.ParseUint(seed, 10, 64)
	}
	r, err := multiproc.Run(opt, func(p *multiproc.Process) error {
		if len(args) > 3 && p.Seed == seedOfTwo {
			os.Exit(5)
		}
		time.Sleep(wait)
		return seeded(p)
	})
	if err != nil {
		fatal(err)
	}
	if r.Child {
		return
	}
	fmt.Printf("resumed %d\n---\n%d processes, seeds %v, replaced %d, precise %v\n%.17g\n%s", r.Resumed,
		r.Processes, r.Seeds, r.Replaced, r.Precise, deltas(r.Comparisons[0]), r.Comparisons[0].Pooled)
}

// seedOfTwo is the first seed of process 2 where the run's is 77.
const seedOfTwo = 9769939611674103587

// finishedIn lists the indexes of the processes that a journal holds.
func finishedIn(t *testing.T, path string) []int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	lines := bufio.NewScanner(zipped)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var l struct{ Finished *struct{ Index int } }
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Finished != nil {
			all = append(all, l.Finished.Index)
		}
	}
	return all
}

// A run that is killed again and again ends up with what one run finds.
func TestAKilledRunGoesOn(t *testing.T) {
	for _, parallel := range []string{"1", "3"} {
		t.Run("parallel "+parallel, func(t *testing.T) {
			dir := t.TempDir()
			in := func(sub string) *exec.Cmd {
				// The arguments are part of the plan, so both use the same words.
				cmd := command("journaled", "j.gz", parallel, "20ms", "crash")
				cmd.Dir = filepath.Join(dir, sub)
				_ = os.MkdirAll(cmd.Dir, 0o700)
				return cmd
			}
			whole, err := in("one").Output()
			if err != nil {
				t.Fatalf("%v: %s", err, whole)
			}
			var last []byte
			kills := 0
			for turn := 0; ; turn++ {
				cmd := in("many")
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, os.Stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				killer := time.AfterFunc(time.Duration(150+60*turn)*time.Millisecond, func() { _ = cmd.Process.Kill() })
				err := cmd.Wait()
				killer.Stop()
				if err == nil {
					last = out.Bytes()
					break
				}
				kills++
				if turn > 40 {
					t.Fatalf("it never ends: %v", err)
				}
			}
			_, want, _ := strings.Cut(string(whole), "---")
			resumed, got, _ := strings.Cut(string(last), "---")
			if got != want || kills == 0 {
				t.Errorf("after %d kills\n%s\nat once\n%s", kills, got, want)
			}
			t.Logf("%d kills; at last %s", kills, resumed)
			if !strings.Contains(want, "replaced 1, precise true") {
				t.Error(want)
			}
			// A finished journal is an answer by itself.
			again, err := in("many").Output()
			if _, got, _ := strings.Cut(string(again), "---"); err != nil || got != want {
				t.Errorf("%v: %s", err, again)
			}
		})
	}
}

func TestATornJournalGoesOn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "j.gz")
	whole := run(t, "journaled", path, "1", "0s")
	whole.expect(t, 0)
	_, want, _ := strings.Cut(whole.stdout, "---")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []int{len(data) - 1, len(data) - 30, len(data) / 2, len(data) / 5, 15, 3, 0} {
		if err := os.WriteFile(path, data[:keep], 0o600); err != nil {
			t.Fatal(err)
		}
		got := run(t, "journaled", path, "1", "0s")
		if _, text, _ := strings.Cut(got.stdout, "---"); got.status != 0 || text != want {
			t.Errorf("with %d of %d bytes: status %d\n%s%s\nwant\n%s", keep, len(data), got.status, got.stdout, got.stderr, want)
		}
	}
	// Zeros are what a file system may leave at the end; other damage is not
	// cut off.
	first := bytes.Index(data[1:], data[:3]) + 1
	for status, tail := range []string{strings.Repeat("\x00", 100), "something else"} {
		if err := os.WriteFile(path, append(bytes.Clone(data[:first]), tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		got := run(t, "journaled", path, "1", "0s")
		if got.status != status || (status == 1 && !strings.Contains(got.stderr, "damaged at byte")) {
			t.Errorf("a tail of %q: status %d: %s", tail, got.status, got.stderr)
		}
	}
}

func TestAJournalOfAnotherPlanIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "j.gz")
	run(t, "journaled", path, "1", "0s").expect(t, 0)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	run(t, "journaled", path, "2", "0s").expect(t, 1, "it belongs to another plan", "parallel was 1 and is 2", "remove this one to measure anew")
	t.Setenv("MULTIPROC_TEST_SEED", "78")
	run(t, "journaled", path, "1", "0s").expect(t, 1, "seed was 77 and is 78")
	// Without a seed, the journal's counts.
	t.Setenv("MULTIPROC_TEST_SEED", "0")
	run(t, "journaled", path, "1", "0s").expect(t, 0, "resumed ")
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v: a refused journal was changed", err)
	}
	for _, text := range []string{"not a journal at all", "\x00\x01\x02"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, "journaled", path, "1", "0s").expect(t, 1, "journal "+path)
		if kept, _ := os.ReadFile(path); string(kept) != text {
			t.Errorf("somebody's file became one of %d bytes", len(kept))
		}
	}
	run(t, "journaled", filepath.Join(dir, "no", "such", "place"), "1", "0s").expect(t, 1, "opening the journal")
}
