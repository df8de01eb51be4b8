package spawn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// StartError says that a command could not be started, and which file is to
// blame.
type StartError struct {
	// Program is the first word of the command, and File the file or directory
	// that is in the way.
	Program, File string
	// Reason says what is wrong with it, and what to do.
	Reason string
	// Err is the system's error, or nil.
	Err error
}

func (e *StartError) Error() string {
	if e.File == e.Program {
		return fmt.Sprintf("cannot start %q: %s", e.Program, e.Reason)
	}
	return fmt.Sprintf("cannot start %q: %s: %s", e.Program, e.File, e.Reason)
}

// Unwrap returns the system's error.
func (e *StartError) Unwrap() error { return e.Err }

// find returns the path under which the command's program is executed. It is
// the program itself if that names a directory, and else the first match in the
// PATH of the command's environment.
func find(c *Command, env []string) (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", &StartError{Reason: "the command is empty"}
	}
	program := c.Argv[0]
	if c.Dir != "" {
		if err := checkDirectory(program, c.Dir); err != nil {
			return "", err
		}
	}
	if runtime.GOOS == "windows" {
		path, err := exec.LookPath(program)
		if err != nil {
			return "", &StartError{Program: program, File: program, Reason: cause(err), Err: err}
		}
		return path, nil
	}
	if strings.ContainsRune(program, '/') {
		return program, nil
	}
	path, listed := variable(env, "PATH")
	if !listed {
		path = "/usr/local/bin:/bin:/usr/bin"
	}
	var refused string
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		candidate := dir + "/" + program
		info, err := os.Stat(from(c.Dir, candidate))
		switch {
		case err != nil || info.IsDir():
		case info.Mode()&0o111 == 0:
			refused = candidate
		default:
			return candidate, nil
		}
	}
	if refused != "" {
		return "", &StartError{Program: program, File: refused, Reason: "the file is not executable: chmod +x it", Err: fs.ErrPermission}
	}
	return "", &StartError{Program: program, File: program, Reason: "no such program in the directories of PATH", Err: fs.ErrNotExist}
}

// variable returns the last value of a variable in an environment.
func variable(env []string, name string) (value string, found bool) {
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value, found = v, true
		}
	}
	return value, found
}

// from is path as a process in dir would see it.
func from(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func checkDirectory(program, dir string) error {
	info, err := os.Stat(dir)
	var reason string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "the working directory does not exist"
	case err != nil:
		reason = "the working directory cannot be used: " + cause(err)
	case !info.IsDir():
		reason, err = "the working directory is not a directory", syscall.ENOTDIR
	default:
		return nil
	}
	return &StartError{Program: program, File: dir, Reason: reason, Err: err}
}

// explain turns the system's refusal to execute a file into an error that says
// what is wrong with the file.
func explain(c *Command, path string, refusal error) error {
	failed := &StartError{Program: c.Argv[0], File: path, Err: refusal}
	info, err := os.Stat(from(c.Dir, path))
	switch {
	case errors.Is(refusal, syscall.E2BIG):
		failed.Reason = "the arguments and the environment are too long for the system"
	case errors.Is(err, fs.ErrNotExist):
		failed.Reason = "no such file"
	case err == nil && info.IsDir():
		failed.Reason = "it is a directory"
	case errors.Is(refusal, fs.ErrPermission) && err == nil && info.Mode()&0o111 == 0:
		failed.Reason = "the file is not executable: chmod +x it"
	case errors.Is(refusal, fs.ErrNotExist):
		failed.Reason = "the interpreter that it names does not exist"
		if name := interpreter(from(c.Dir, path)); name != "" {
			failed.Reason = "its interpreter " + name + " does not exist"
		}
	case errors.Is(refusal, syscall.ENOEXEC):
		failed.Reason = "it is no program for this machine, and no script that begins with #!"
	default:
		failed.Reason = cause(refusal)
	}
	return failed
}

// interpreter is the program that the first line of a script names.
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	var first [256]byte
	n, _ := f.Read(first[:])
	line, _, _ := strings.Cut(string(first[:n]), "\n")
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return ""
	}
	return words[0]
}

// cause is the innermost part of a file error: the path stands elsewhere.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}
