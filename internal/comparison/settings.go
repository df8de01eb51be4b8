// Package comparison carries out a whole comparison of commands or servers: it
// measures, keeps the record, looks after every unit whether the answer is
// clear, and judges. The sub-commands differ only in the arms they put in.
package comparison

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Method is the rule by which a run ends.
type Method string

const (
	// Anytime stops when the answer is clear; its intervals hold at every look
	// at once.
	Anytime Method = "anytime"
	// Fixed measures a number of runs that was fixed before.
	Fixed Method = "fixed"
	// JZS is finefile's rule: Bayes factors over growing batches of rounds.
	JZS Method = "jzs"
)

// Settings say how a comparison is measured and judged. They are kept in the
// head of the record, so that it can be judged again and continued.
type Settings struct {
	Name   string `json:"name,omitempty"`
	Method Method `json:"method"`
	// Metric carries the verdict and ends the run; Others are judged beside it.
	Metric string   `json:"metric"`
	Others []string `json:"others,omitempty"`
	// ErrorRate is the share of runs on identical arms that may call any pair
	// faster or slower.
	ErrorRate float64 `json:"error_rate"`
	// Margin is the largest ratio that does not matter: 0.01 is one percent.
	Margin float64 `json:"margin"`
	// Precision, where not 0, ends the run when every interval against the
	// reference reaches no further than this ratio from the estimate.
	Precision float64 `json:"precision,omitempty"`
	// Reference is the arm that the others are compared with.
	Reference int `json:"reference"`
	// ReferenceNamed is set where the user chose it.
	ReferenceNamed bool `json:"reference_named,omitempty"`
	// Loops is the number of threads that load servers.
	Loops int `json:"loops,omitempty"`
	// Budget is the time for measuring. With Patient set the first few units
	// are measured even if they take longer.
	Budget  time.Duration `json:"budget_ns"`
	Patient bool          `json:"patient,omitempty"`
	// Runs, where not 0, is the exact number of runs of every arm, and Fewest
	// and Most bound it.
	Runs   int `json:"runs,omitempty"`
	Fewest int `json:"fewest,omitempty"`
	Most   int `json:"most,omitempty"`
	// Warmup is the number of unmeasured runs of every arm at the start.
	Warmup int `json:"warmup,omitempty"`
	// Operations is the number of operations in a visit; 0 finds the number
	// that lasts Slice. Fewest operations are FewestOperations.
	Operations       int64         `json:"operations,omitempty"`
	Slice            time.Duration `json:"slice_ns,omitempty"`
	FewestOperations int64         `json:"fewest_operations,omitempty"`
	MostOperations   int64         `json:"most_operations,omitempty"`
	// Lead is the number of untimed operations at the start of a visit.
	Lead int64 `json:"lead,omitempty"`
	// Shared is set where the two instances of an arm are one and the same
	// outside, as with servers.
	Shared bool `json:"shared,omitempty"`
	// Sequential visits the arms in the same direction in every round.
	Sequential bool   `json:"sequential,omitempty"`
	Seed       uint64 `json:"seed"`
	// CPUs are the processors that the arms may use; none means all.
	CPUs []int `json:"cpus,omitempty"`
	// Tick is the step of the clock in nanoseconds.
	Tick float64 `json:"tick_ns"`
	// Bayes holds the settings of the jzs method.
	Bayes *BayesSettings `json:"jzs,omitempty"`
	// Arguments is the command line that asked for the run, and Directory where
	// it was given, so that the run can be continued.
	Arguments []string `json:"arguments,omitempty"`
	Directory string   `json:"directory,omitempty"`
}

// BayesSettings are the settings of finefile's rule.
type BayesSettings struct {
	Certainty    float64 `json:"certainty"`
	CredibleMass float64 `json:"credible_mass"`
	// MinEffect is the margin as a ratio; 0 decides by the point null.
	MinEffect   float64 `json:"min_effect"`
	PriorScale  float64 `json:"prior_scale"`
	Alternate   bool    `json:"alternate,omitempty"`
	BatchRounds int     `json:"batch_rounds"`
	MinRounds   int     `json:"min_rounds"`
	MaxRounds   int     `json:"max_rounds"`
}

// The defaults of commands and servers.
const (
	// DefaultErrorRate is that of a verdict that may come at any moment.
	DefaultErrorRate = 0.01
	DefaultMargin    = 0.01
	// DefaultBudget is the measuring time per arm beyond the reference.
	DefaultBudget = 10 * time.Second
	// unitLength is the shortest unit.
	unitLength = 500 * time.Millisecond
)

// plan is the settings as the record's head keeps them.
func (s Settings) plan() (map[string]any, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("keeping the settings in the record: %w", err)
	}
	var plan map[string]any
	return plan, json.Unmarshal(text, &plan)
}

// SettingsOf reads the settings out of a record's head.
func SettingsOf(head record.Head) (Settings, error) {
	text, err := json.Marshal(head.Plan)
	if err != nil {
		return Settings{}, fmt.Errorf("reading the settings of the record: %w", err)
	}
	var s Settings
	if err := json.Unmarshal(text, &s); err != nil {
		return Settings{}, fmt.Errorf("reading the settings of the record: %w", err)
	}
	if s.Method == "" || s.Metric == "" {
		return Settings{}, fmt.Errorf("the record holds a run of %s, and not of commands or servers", head.Kind)
	}
	return s, nil
}

// pairs is the number of pairs of arms that share the error rate.
func pairs(arms int) int { return arms * (arms - 1) / 2 }

// policy is how one pair is judged.
func (s Settings) policy(base, arm, arms int, metric string) judge.Policy {
	p := judge.Policy{
		Base: base, Arm: arm, Metric: judge.Metric(metric), Purpose: record.Main,
		ErrorRate: s.ErrorRate / float64(max(1, pairs(arms))), Margin: math.Log1p(s.Margin), Sequential: s.Method == Anytime,
	}
	if p.Sequential {
		p.Ladder = judge.Ladder()
		if s.Shared {
			p.Ladder = judge.SharedLadder()
		}
	}
	if metric == string(judge.Wall) {
		p.Tick = s.Tick
	}
	return p
}
