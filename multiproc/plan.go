package multiproc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"
)

// plan is what two runs must have in common to be one.
type plan struct {
	Schema     string        `json:"schema"`
	Call       string        `json:"call"`
	Seed       uint64        `json:"seed"`
	First      int           `json:"first_stage"`
	Most       int           `json:"most_processes"`
	Parallel   int           `json:"parallel"`
	Rotation   int           `json:"rotation"`
	Absolute   float64       `json:"abs_precision"`
	Relative   float64       `json:"rel_precision"`
	AgainAt    float64       `json:"asked_again_at"`
	Level      float64       `json:"level"`
	Layouts    int           `json:"layouts"`
	GOMAXPROCS int           `json:"gomaxprocs"`
	Timeout    time.Duration `json:"child_timeout_ns"`
	Arguments  []string      `json:"arguments"`
	Program    string        `json:"program"`
	Machine    string        `json:"machine"`
}

// plan is this run's plan.
func (p *parent) plan() (plan, error) {
	program, err := hashFile(p.programs[0])
	if err != nil {
		return plan{}, fmt.Errorf("identifying the program: %w", err)
	}
	o := p.opt
	arguments := o.Args
	if p.test != nil && p.test.own {
		arguments = p.test.identity()
	}
	return plan{
		Schema: journalSchema, Call: p.call.String(), Seed: p.seed, First: p.first, Most: p.most, Parallel: o.Parallel, Rotation: o.Rotation,
		Absolute: o.AbsPrecision, Relative: o.RelPrecision, AgainAt: againAt, Level: o.Level, Layouts: o.Layouts, GOMAXPROCS: p.procs,
		Timeout: o.ChildTimeout, Arguments: arguments, Program: program,
		Machine: runtime.GOOS + "/" + runtime.GOARCH + " " + p.kind,
	}, nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// differences names what differs from the plan of a journal.
func (p plan) differences(found plan) string {
	var all []string
	ours, theirs := reflect.ValueOf(p), reflect.ValueOf(found)
	for i := range ours.NumField() {
		name, _, _ := strings.Cut(ours.Type().Field(i).Tag.Get("json"), ",")
		a, b := ours.Field(i).Interface(), theirs.Field(i).Interface()
		if reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b) {
			continue
		}
		if name == "program" {
			all = append(all, "the program was built anew")
			continue
		}
		all = append(all, fmt.Sprintf("%s was %v and is %v", name, b, a))
	}
	return strings.Join(all, ", ")
}
