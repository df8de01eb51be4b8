package proc

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// output copies what a child prints. Package exec would do that as well, but
// would only say that the child has ended when nobody holds on to its output any
// more; what the child has left behind would have to be waited for before it
// could be killed.
type output struct {
	ours, theirs []*os.File
	copying      sync.WaitGroup
}

// drain is how long output is read after the end of a child and its group, in
// case something outside of the group holds on to it.
const drain = 2 * time.Second

// connect makes pipes for the writers that are no files.
func connect(cmd *exec.Cmd, stdout, stderr io.Writer) (*output, error) {
	o := new(output)
	for _, end := range []struct {
		to   io.Writer
		from *io.Writer
	}{{stdout, &cmd.Stdout}, {stderr, &cmd.Stderr}} {
		if f, ok := end.to.(*os.File); ok {
			*end.from = f
			continue
		}
		if end.to == nil {
			continue
		}
		read, write, err := os.Pipe()
		if err != nil {
			return o, err
		}
		o.ours, o.theirs = append(o.ours, read), append(o.theirs, write)
		*end.from = write
		o.copying.Go(func() { _, _ = io.Copy(end.to, read) })
	}
	return o, nil
}

// started closes the child's ends here.
func (o *output) started() {
	for _, f := range o.theirs {
		_ = f.Close()
	}
	o.theirs = nil
}

// finish waits until everything is copied, or for as long as drain says.
func (o *output) finish() {
	o.started()
	done := make(chan struct{})
	go func() {
		o.copying.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(drain):
	}
	for _, f := range o.ours {
		_ = f.Close()
	}
	<-done
}
