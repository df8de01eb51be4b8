package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scratch is a git repository for a test, with a cache beside it.
type scratch struct {
	t     *testing.T
	root  string
	store Store
}

// environment is one in which nothing of the user's own settings counts.
func environment(home string) []string {
	env := []string{
		"HOME=" + home, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_ALLOW_PROTOCOL=file", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOPROXY=off",
	}
	for _, name := range []string{"PATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOPATH", "TMPDIR", "SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	// The caches are found through the home directory, which is another one here.
	if _, set := os.LookupEnv("GOCACHE"); !set {
		if dir, err := os.UserCacheDir(); err == nil {
			env = append(env, "GOCACHE="+filepath.Join(dir, "go-build"))
		}
	}
	return env
}

func newScratch(t *testing.T, files map[string]string) *scratch {
	t.Helper()
	for _, program := range []string{"git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("this test needs %s: %v", program, err)
		}
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scratch{t: t, root: filepath.Join(base, "repo")}
	s.store = Store{Dir: s.root, Cache: filepath.Join(base, "cache"), Env: environment(base), Go: "go"}
	if err := os.MkdirAll(s.root, 0o777); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", "-b", "main")
	s.commit(files)
	return s
}

// git runs git in the repository and returns what it printed.
func (s *scratch) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.root}, args...)...)
	cmd.Env = s.store.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files and commits them, and returns the hash.
func (s *scratch) commit(files map[string]string) string {
	s.t.Helper()
	s.write(s.root, files)
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "change")
	return s.git("rev-parse", "HEAD")
}

func (s *scratch) write(dir string, files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *scratch) get(spec Spec) Version {
	s.t.Helper()
	v, err := s.store.Get(s.t.Context(), spec)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s *scratch) read(path string) string {
	s.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// state is all of a repository that somebody could have left something in.
func (s *scratch) state() string {
	index := s.read(filepath.Join(s.root, ".git", "index"))
	var names []string
	err := filepath.WalkDir(s.root, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	// The index is read before git status, which writes it.
	return index + s.git("status", "--porcelain") + s.git("worktree", "list") + s.git("stash", "list") + s.git("for-each-ref") + strings.Join(names, "\n")
}
