package multiproc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/proc"
)

// What a parent tells a child, in its environment.
const (
	variablePrefix = "RTCOMPARE_MULTIPROC_"

	// outVariable is the path of the file that the child has to write. It makes
	// a process a child.
	outVariable   = variablePrefix + "OUT"
	seedVariable  = variablePrefix + "SEED"
	indexVariable = variablePrefix + "INDEX"
	// callVariable is the identity of the one call that runs its suite. Empty,
	// it is the first one, as in another program.
	callVariable = variablePrefix + "CALL"
	// firstVariable is set where the call was the first of the parent and the
	// child has other arguments: a first call elsewhere is meant as well.
	firstVariable = variablePrefix + "FIRST"
	// shareVariable is the number of runs of identical code per comparison.
	shareVariable = variablePrefix + "SHARE"
	// memoryVariable is how many bytes of memory the process before this one
	// held, which are shuffled.
	memoryVariable = variablePrefix + "MEMORY"
	// earlierVariable is the path of a file with what earlier calls found.
	earlierVariable = variablePrefix + "EARLIER"
	// lifelineVariable is the lifeline, and paddingVariable just takes room.
	lifelineVariable = variablePrefix + "LIFELINE"
	paddingVariable  = variablePrefix + "PAD"
)

// self says whether this process is a child, and of which call. It has to be
// found out before any code of the program runs: from then on the process is
// tied to its parent, and the variables are gone, so that whatever the program
// itself starts is nobody's child here. It cannot change afterwards.
var self = readSelf()

// childRole is what a child was started for.
type childRole struct {
	out, seed, index, call, first, share, memory, earlier string

	mu     sync.Mutex
	done   bool
	passed int
}

// readSelf takes the child's variables out of the environment. It returns nil in
// a process that is no child.
func readSelf() *childRole {
	proc.Follow(lifelineVariable)
	c := new(childRole)
	_, isChild := os.LookupEnv(outVariable)
	for name, field := range map[string]*string{
		outVariable: &c.out, seedVariable: &c.seed, indexVariable: &c.index, callVariable: &c.call, firstVariable: &c.first,
		shareVariable: &c.share, memoryVariable: &c.memory, earlierVariable: &c.earlier, paddingVariable: new(string),
	} {
		*field = os.Getenv(name)
		_ = os.Unsetenv(name)
	}
	if !isChild {
		return nil
	}
	return c
}

// begin reports whether the call is the one that this child was started for. It
// is so once: a program that comes by a second time has nothing left to do.
func (c *childRole) begin(call callID, first bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return false
	}
	if c.call == "" || c.call == call.String() || (first && c.first != "") {
		c.done = true
		_ = os.Remove(c.out + passedSuffix)
		return true
	}
	if strings.HasPrefix(c.call, call.key+" #") {
		// Should the right number never come, the parent learns how many came.
		c.passed++
		_ = os.WriteFile(c.out+passedSuffix, []byte(strconv.Itoa(c.passed)), 0o600)
	}
	return false
}

// passedSuffix is the end of the name of the file in which a child counts the
// calls at the place of its own that it has passed.
const passedSuffix = ".passed"

// run runs the suite of the child's own call and leaves the outcome for the
// parent, also when the suite fails.
func (c *childRole) run(suite func(*Process) error) (Results, error) {
	p, err := c.process()
	if err != nil {
		return Results{Child: true}, err
	}
	// A number that cannot be read shuffles nothing.
	memory, _ := strconv.ParseInt(c.memory, 10, 64)
	shufflePages(memory, p.Seed)
	spacers := rtcompare.PerturbHeap(p.Seed)
	err = c.runSuite(p, suite)
	spacers.KeepAlive()
	return Results{Child: true}, err
}

// process reads the variables.
func (c *childRole) process() (*Process, error) {
	seed, err := strconv.ParseUint(c.seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the variable %s is %q and has to be a number: this process was not started by multiproc", seedVariable, c.seed)
	}
	index, err := strconv.Atoi(c.index)
	if err != nil || index < 0 {
		return nil, fmt.Errorf("the variable %s is %q and has to be a number from 0: this process was not started by multiproc", indexVariable, c.index)
	}
	share := 0
	if c.share != "" {
		if share, err = strconv.Atoi(c.share); err != nil || share < 0 {
			return nil, fmt.Errorf("the variable %s is %q and has to be a number from 0: this process was not started by multiproc", shareVariable, c.share)
		}
	}
	return &Process{Index: index, Seed: seed, runs: share}, nil
}

// runSuite runs the suite and writes the outcome. A panic goes on and ends the
// process. A suite that ends its goroutine instead of returning, as FailNow and
// Skip of a test do, is an error that says so.
func (c *childRole) runSuite(p *Process, suite func(*Process) error) (err error) {
	returned := false
	defer func() {
		if !returned {
			if v := recover(); v != nil {
				panic(v)
			}
			// Nobody sees this error: the goroutine is ending. The parent does.
			_ = c.leave(p, errors.New("the suite ended its goroutine instead of returning (FailNow, Skip or Goexit); return an error"))
		}
	}()
	err = atOffset(stackOffset(p.Seed), func() error { return suite(p) })
	returned = true
	return c.leave(p, err)
}

// leave writes the outcome and returns the suite's error, or why its outcome
// could not be written.
func (c *childRole) leave(p *Process, err error) error {
	if err == nil {
		err = p.problem
	}
	o := outcome{call: c.call, index: p.Index, seed: p.Seed, memory: residentMemory(), records: p.records}
	if err != nil {
		o.problem = err.Error()
	}
	if failed := o.writeFile(c.out); failed != nil {
		return errors.Join(err, fmt.Errorf("writing the results of process %d: %w", p.Index, failed))
	}
	return err
}

// skip is the result of a call that is not the child's own: nothing runs, and
// the parent's results are there for what the program does with them.
func (c *childRole) skip(call callID) (Results, error) {
	found, err := c.earlierResults()
	r := found[call.String()]
	r.Child, r.Skipped = true, true
	return r, err
}

func (c *childRole) earlierResults() (map[string]Results, error) {
	if c.earlier == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.earlier)
	if err != nil {
		return nil, fmt.Errorf("reading what earlier calls found: %w", err)
	}
	return decodeEarlier(text)
}

// encodeEarlier and decodeEarlier carry the results of earlier calls.
func encodeEarlier(found map[string]Results) ([]byte, error) {
	all := make(map[string]any, len(found))
	for call, r := range found {
		all[call] = toWire(reflect.ValueOf(r))
	}
	return json.Marshal(all)
}

func decodeEarlier(text []byte) (map[string]Results, error) {
	var all map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("reading what earlier calls found: %w", err)
	}
	found := make(map[string]Results, len(all))
	for call, data := range all {
		var r Results
		if err := fromWire(data, reflect.ValueOf(&r).Elem()); err != nil {
			return nil, fmt.Errorf("reading what the call %q found: %w", call, err)
		}
		found[call] = r
	}
	return found, nil
}
