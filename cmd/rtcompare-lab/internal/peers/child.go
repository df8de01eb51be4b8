package peers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// ChildCommand is the hidden sub-command of the processes that take part in an
// experiment: servers, and a load generator by itself.
const ChildCommand = "peer"

// child is a process of this program that prints a line with its address, answers
// a line "report" with a line of JSON, and ends when its input does.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	hello   hello
	stop    func()
}

// hello is the first line of a server.
type hello struct {
	Address string `json:"address"`
}

// startServer starts a server as a process of its own.
func startServer(ctx context.Context, args ...string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program to start a server: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &child{command: exec.CommandContext(ctx, program, append([]string{ChildCommand}, args...)...)}
	c.command.Stderr = os.Stderr
	in, inErr := c.command.StdinPipe()
	out, outErr := c.command.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		cancel()
		return nil, fmt.Errorf("connecting a server: %w", err)
	}
	if err := c.command.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("starting a server: %w", err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	c.stop = sync.OnceFunc(func() {
		_ = c.in.Close()
		cancel()
		_ = c.command.Wait() // it was killed if it did not end by itself
	})
	if err := c.read(&c.hello); err != nil {
		c.stop()
		return nil, fmt.Errorf("starting a server: %w", err)
	}
	return c, nil
}

func (c *child) read(into any) error {
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("it has ended: %w", err)
	}
	return json.Unmarshal(line, into)
}

// report asks for what was counted since the last report.
func (c *child) report(into any) error {
	if _, err := io.WriteString(c.in, "report\n"); err != nil {
		return fmt.Errorf("asking a server what it has done: %w", err)
	}
	if err := c.read(into); err != nil {
		return fmt.Errorf("asking a server what it has done: %w", err)
	}
	return nil
}

// url is the address of a server.
func (c *child) url() string { return "http://" + c.hello.Address + "/" }

// answerReports prints the address, and a report for each line of the input until
// that ends.
func answerReports(in io.Reader, out io.Writer, address string, report func() any) error {
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(hello{address}); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := encoder.Encode(report()); err != nil {
			return err
		}
	}
	return lines.Err()
}
