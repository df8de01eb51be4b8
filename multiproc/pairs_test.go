package multiproc

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare"
)

// small makes comparisons that take a millisecond.
var small = rtcompare.CompareOptions{
	Collect:        rtcompare.CollectOptions{Repeats: 11, InnerLoops: 100, SkipWarmup: true},
	SkipValidation: true,
}

var sink int

func spin(turns int) func() rtcompare.Candidate {
	return func() rtcompare.Candidate {
		return rtcompare.Candidate{Batch: func(n uint64) {
			for range n {
				for i := range turns {
					sink += i
				}
			}
		}}
	}
}

func TestFixturesAreBuiltInAlternatingOrder(t *testing.T) {
	var order []string
	build := func(name string) func() rtcompare.Candidate {
		return func() rtcompare.Candidate { order = append(order, name); return spin(1)() }
	}
	suite := Pairs(Pair{Name: "x", A: build("A"), B: build("B"), Options: small})
	for index := range 4 {
		if err := suite(&Process{Index: index}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(order, ""); got != "ABBAABBA" {
		t.Errorf("built in the order %s", got)
	}
}

func TestPairsRecordInOrderAndDirection(t *testing.T) {
	p := new(Process)
	err := Pairs(
		Pair{Name: "slower", A: spin(400), B: spin(10), Options: small},
		Pair{Name: "faster", A: spin(10), B: spin(400), Options: small},
	)(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.records) != 2 || p.records[0].name != "slower" || p.records[1].name != "faster" {
		t.Fatalf("%+v", p.records)
	}
	if a, b := p.records[0].report.Estimate.Delta, p.records[1].report.Estimate.Delta; a > 0 || b < 0 {
		t.Errorf("differences %v and %v", a, b)
	}
}

func TestPairErrors(t *testing.T) {
	good := Pair{Name: "x", A: spin(1), B: spin(1), Options: small}
	with := func(change func(*Pair)) Pair { p := good; change(&p); return p }
	for _, tt := range []struct {
		pairs []Pair
		want  string
	}{
		{nil, "no pair"},
		{[]Pair{good, with(func(p *Pair) { p.Name = "" })}, "pair 1 has no name"},
		{[]Pair{good, good}, `pair 1: the name "x" is used twice`},
		{[]Pair{with(func(p *Pair) { p.A = nil })}, `pair "x": A is nil`},
		{[]Pair{with(func(p *Pair) { p.B = nil })}, `pair "x": B is nil`},
		{[]Pair{with(func(p *Pair) { p.Options.Level = 2 })}, `pair "x": option Level`},
		{[]Pair{with(func(p *Pair) { p.B = func() rtcompare.Candidate { return rtcompare.Candidate{Name: "empty"} } })}, `pair "x": candidate B ("empty")`},
	} {
		if err := Pairs(tt.pairs...)(new(Process)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v does not say %q", err, tt.want)
		}
	}
}

func TestSuitesRunOneAfterTheOther(t *testing.T) {
	var ran []int
	suite := func(i int, err error) func(*Process) error {
		return func(*Process) error { ran = append(ran, i); return err }
	}
	stop := errors.New("stop")
	if err := Suites(suite(1, nil), suite(2, stop), suite(3, nil))(new(Process)); err != stop || !slices.Equal(ran, []int{1, 2}) {
		t.Errorf("%v after %v", err, ran)
	}
	if err := Suites(suite(1, nil), nil)(new(Process)); err == nil || !strings.Contains(err.Error(), "suite 1 is nil") {
		t.Errorf("error %v", err)
	}
}

func TestProcessOptions(t *testing.T) {
	p := &Process{runs: 7}
	if o := p.Options(rtcompare.CompareOptions{}); o.ValidationRuns != 7 || !o.SkipChecks || o.Collect.WarmupDuration != rtcompare.DefaultWarmupDuration/2 {
		t.Errorf("%+v", o)
	}
	if o := p.Options(rtcompare.CompareOptions{ValidationRuns: 20}); o.ValidationRuns != 20 {
		t.Errorf("%+v", o)
	}
	if o := p.Options(rtcompare.CompareOptions{SkipValidation: true}); o.ValidationRuns != 0 || o.Collect.WarmupDuration != 0 {
		t.Errorf("%+v", o)
	}
	if o := p.Options(rtcompare.CompareOptions{Budget: 1}); o.ValidationRuns != 0 {
		t.Errorf("%+v", o)
	}
	if o := new(Process).Options(rtcompare.CompareOptions{}); o.ValidationRuns != 0 || o.SkipChecks {
		t.Errorf("%+v", o)
	}
}

func TestANameIsRecordedOnce(t *testing.T) {
	p := new(Process)
	p.Record("x", rtcompare.Report{})
	p.Record("y", rtcompare.Report{})
	if p.problem != nil {
		t.Error(p.problem)
	}
	p.Record("x", rtcompare.Report{})
	if p.problem == nil || !strings.Contains(p.problem.Error(), `comparison "x" was recorded twice`) {
		t.Errorf("problem %v", p.problem)
	}
}
