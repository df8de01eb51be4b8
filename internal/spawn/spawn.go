// Package spawn starts commands, measures what each of them costs, and leaves
// none of them behind.
//
// On Linux the commands are not started by the measuring program itself but by
// a tiny second process, the spawner: the same program, executed anew before it
// has touched memory. There are three reasons. A child inherits the peak of
// memory of the process that starts it, so a large starter hides what a small
// command needs. The spawner has nothing else to do, so it reads the clock next
// to the start and the end of the command. And it is the parent of everything a
// command leaves behind, so that it can end it.
//
// Elsewhere the program starts the commands itself, and says of every figure
// that it cannot read there that it is unknown.
//
// A program that uses this package calls [Serve] first thing in main. The
// package knows nothing of arms, records and comparisons.
package spawn

import (
	"errors"
	"time"
)

// Command is one command to run. Only Argv is required.
type Command struct {
	// Argv is the program and its arguments. A program without a slash is
	// looked up in the PATH of Env; one with a slash is relative to Dir.
	Argv []string
	// Env is the whole environment; nil means that of this process. It reaches
	// the command unchanged.
	Env []string
	// Dir is the working directory; empty means that of this process.
	Dir string
	// Stdin is the file that the command reads; empty means nothing to read.
	Stdin string
	// Stdout and Stderr say where its output goes. The zero value discards it.
	Stdout, Stderr Output
	// CPUs are the processors that the command may use; empty means those of
	// this process. Systems without a way to say so give an error.
	CPUs []int
	// Timeout is how long the command may take; 0 means forever. Then its
	// process group gets a SIGTERM, and after Grace a SIGKILL.
	Timeout time.Duration
	// Grace is how long a process has between the request to end and its end
	// by force; 0 means two seconds.
	Grace time.Duration
	// KeepDescendants leaves alone what the command leaves running, such as a
	// server that a setup step has started, until [Spawner.Close].
	KeepDescendants bool
}

// defaultGrace is long enough to write a file and short enough to wait for.
const defaultGrace = 2 * time.Second

// cancelGrace is the grace of a command whose caller has given up.
const cancelGrace = 500 * time.Millisecond

func (c *Command) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return defaultGrace
}

// OutputKind is where a stream of output goes.
type OutputKind uint8

const (
	// Null is the system's empty device. It is the zero value.
	Null OutputKind = iota
	// Inherit is the stream of the same name of this process.
	Inherit
	// Pipe is a pipe that is read and thrown away. The command sees no empty
	// device, which some programs treat specially.
	Pipe
	// File is a file.
	File
	// Head keeps the first Limit bytes and throws the rest away.
	Head
	// Tail keeps the last Limit bytes, at most 64 KiB of them.
	Tail
)

// Output says where one stream of output goes.
type Output struct {
	Kind OutputKind
	// Path is the file of kind File, relative to the directory of this
	// process. It is emptied before every run, or continued if Append is set.
	Path   string
	Append bool
	// Limit is how many bytes the kinds Head and Tail keep; 0 means none.
	Limit int64
}

// mostTail bounds what the spawner itself has to hold.
const mostTail = 64 << 10

// Options are for programs and tests with particular needs. The zero value is
// right for all others.
type Options struct {
	// Executable is the program that is executed as the spawner; empty means
	// this program. It has to call [Serve].
	Executable string
	// Now is the clock of systems on which this process starts the commands
	// itself; nil means the time package's.
	Now func() time.Duration
}

// ErrClosed says that the spawner was closed before the command was run.
var ErrClosed = errors.New("the process that starts commands was closed")

// ErrSpawnerDied says that the spawner ended by itself or was killed. A command
// that was running is killed with it.
var ErrSpawnerDied = errors.New("the process that starts commands has died")
