package gobuild

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/proc"
)

// Environment is the environment that a binary's processes get: the one given,
// with what go test adds to it, and the number of processors, which the runtime
// would otherwise choose anew whenever the process is moved; see [Processors].
func (b Binary) Environment(env []string, processors int) []string {
	env = append(slices.Clone(env), "PWD="+b.Package.Dir, "GOMAXPROCS="+strconv.Itoa(Processors(processors)))
	if b.Root == "" {
		return env
	}
	path := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	return append(env, "GOROOT="+b.Root, "PATH="+filepath.Join(b.Root, "bin")+string(os.PathListSeparator)+path)
}

// Processors is the number of processors that is meant: itself, or that of this
// process for 0.
func Processors(processors int) int {
	if processors > 0 {
		return processors
	}
	return runtime.GOMAXPROCS(0)
}

// ExactPattern is the pattern for -test.bench that selects one benchmark.
func ExactPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Ended is how a process of a binary ended, and what it printed.
type Ended struct {
	Output   string
	Code     int
	Text     string
	TimedOut bool
	Elapsed  time.Duration
}

// Run runs a binary to its end where its package is. env is the whole
// environment. The error is for what could not be run; a process that failed is
// none.
func (b Binary) Run(ctx context.Context, env []string, timeout time.Duration, args ...string) (Ended, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	both := new(limitedBuffer)
	exit, err := proc.Run(limited, proc.Command{Path: b.Path, Args: args, Env: env, Dir: b.Package.Dir, Stdout: both, Stderr: both})
	if err != nil {
		return Ended{}, err
	}
	if ctx.Err() != nil {
		return Ended{}, ctx.Err()
	}
	return Ended{Output: both.String(), Code: exit.Code, Text: exit.String(), TimedOut: exit.Cancelled, Elapsed: exit.Elapsed}, nil
}
