//go:build unix

package gobench

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// child is a process with the pausing driver, and the two pipes to it.
type child struct {
	*process
	orders  *os.File
	answers *os.File
	reader  *bufio.Reader
}

// startChild starts a process that serves a benchmark. It is ended with this
// process: its orders end, and where the system can, it is killed.
func startChild(binary gobuild.Binary, name string, args, env []string) (*child, error) {
	ordersRead, orders, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, answersWrite, err := os.Pipe()
	if err != nil {
		_, _ = ordersRead.Close(), orders.Close()
		return nil, err
	}
	const firstDescriptor = 3
	env = append(env, gobuild.PausingVariable+"="+strconv.Itoa(firstDescriptor)+" "+strconv.Itoa(firstDescriptor+1)+" "+name)
	p, err := start(binary, args, env, ordersRead, answersWrite)
	_, _ = ordersRead.Close(), answersWrite.Close()
	if err != nil {
		_, _ = orders.Close(), answers.Close()
		return nil, err
	}
	return &child{process: p, orders: orders, answers: answers, reader: bufio.NewReader(answers)}, nil
}

// errSilent says that no answer came in time.
var errSilent = errors.New("no answer")

// ask sends an order and waits for the answer, which begins with one letter. It
// returns io.EOF if the process has ended instead, and [errSilent] if it took
// too long.
func (c *child) ask(ctx context.Context, order []byte, limit time.Duration) ([]byte, error) {
	if err := c.answers.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.answers.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if len(order) > 0 {
		if _, err := c.orders.Write(order); err != nil {
			return nil, io.EOF
		}
	}
	answer, err := c.reader.ReadSlice('\n')
	switch {
	case err == nil:
		return answer[:len(answer)-1], nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSilent
	}
	return nil, io.EOF
}

// close releases the pipes. The process has ended.
func (c *child) close() {
	_, _ = c.orders.Close(), c.answers.Close()
}
