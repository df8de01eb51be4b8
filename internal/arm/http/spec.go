// Package httparm is the arm for HTTP servers: requests to one address, or a list
// of them, as something the engine can measure.
//
// An operation is one request. Servers stay up and connected; a visit is a slice
// of requests after an untimed lead, drained before the other arm's turn.
package httparm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Spec describes one arm. Only a URL in Target is required.
type Spec struct {
	// Name stands for the arm in errors.
	Name string
	// Target is what is asked, Options how.
	Target  load.Target
	Options load.Options
	// CAFile holds certificates of authorities to trust, in PEM form, instead
	// of the system's. CertificateFile and KeyFile identify the client.
	CAFile                   string
	CertificateFile, KeyFile string
	// IgnoreFailure measures on where requests fail; they are counted.
	IgnoreFailure bool
	// ServerPIDs are the processes of the server, where the caller knows them.
	// Otherwise those that listen on its address are looked up, if it is on
	// this machine.
	ServerPIDs []int
	// Root is the directory below which /proc is read; empty means "/".
	Root string
}

// The names of the metrics. Of those that are latencies the values are
// nanoseconds.
const (
	ClientCPU   = "client-cpu"
	ClientBusy  = "client-busy"
	Failed      = "failed"
	Received    = "received"
	Connections = "connections"
	Rate        = "rate"
)

// quantile is a latency that is reported per unit.
type quantile struct {
	name    string
	percent float64
}

var quantiles = []quantile{{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p99.9", 99.9}, {"max", 100}}

// servicePrefix marks the latencies from when a request was really sent, of the
// open loop.
const servicePrefix = "service-"

// Metrics describes what the cells of such an arm hold beside wall and processor
// time, which is the server's.
func Metrics(spec Spec) []record.Metric {
	metrics := []record.Metric{
		{Name: ClientCPU, Unit: "ns"},
		{Name: Failed, Better: "lower"},
		{Name: Received, Unit: "B"},
		{Name: Connections},
		{Name: ClientBusy, PerUnit: true},
	}
	for _, q := range quantiles {
		metrics = append(metrics, record.Metric{Name: q.name, Unit: "ns", Better: "lower", PerUnit: true})
	}
	if spec.Options.Rate > 0 {
		metrics = append(metrics, record.Metric{Name: Rate, Unit: "1/s"})
		for _, q := range quantiles {
			metrics = append(metrics, record.Metric{Name: servicePrefix + q.name, Unit: "ns", Better: "lower", PerUnit: true})
		}
	}
	return metrics
}

// arm is a checked Spec.
type arm struct{ spec Spec }

// New checks a spec, reads its certificates and looks its addresses up. No
// request is sent.
func New(ctx context.Context, spec Spec) (engine.Arm, error) {
	if err := spec.readCertificates(); err != nil {
		return nil, fmt.Errorf("%s: %w", spec.label(), err)
	}
	if spec.Options.Cursor == nil {
		spec.Options.Cursor = new(load.Cursor) // all sessions go through the list together
	}
	if spec.Options.ProcessCPU == nil {
		spec.Options.ProcessCPU = host.ProcessCPU
	}
	trial, err := load.New(ctx, spec.Target, spec.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.label(), err)
	}
	return &arm{spec: spec}, trial.Close()
}

// label names the arm in errors.
func (s Spec) label() string {
	switch {
	case s.Name != "":
		return s.Name
	case len(s.Target.URLs) > 0:
		return s.Target.URLs[0]
	}
	return "server"
}

func (s *Spec) readCertificates() error {
	if s.CAFile != "" {
		text, err := os.ReadFile(s.CAFile)
		if err != nil {
			return fmt.Errorf("reading certificates: %w", err)
		}
		s.Options.TLS.Roots = x509.NewCertPool()
		if !s.Options.TLS.Roots.AppendCertsFromPEM(text) {
			return fmt.Errorf("%s: there is no certificate in it: give a file in PEM form", s.CAFile)
		}
	}
	if (s.CertificateFile == "") != (s.KeyFile == "") {
		return errors.New("a client certificate and its key go together: give both files")
	}
	if s.CertificateFile == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.CertificateFile, s.KeyFile)
	if err != nil {
		return fmt.Errorf("reading the client certificate %s: %w", s.CertificateFile, err)
	}
	s.Options.TLS.Certificates = []tls.Certificate{pair}
	return nil
}

// Open makes a session with connections of its own. Sessions of one seed plan
// the same sending times, so that what differs between arms is the arms.
func (a *arm) Open(ctx context.Context, slot engine.Slot) (engine.Session, error) {
	options := a.spec.Options
	options.Seed ^= slot.Seed
	generator, err := load.New(ctx, a.spec.Target, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.spec.label(), err)
	}
	s := &session{spec: a.spec, generator: generator}
	s.server.root = a.spec.Root
	s.server.given = a.spec.ServerPIDs
	s.server.places = generator.Places()
	s.server.find()
	return s, nil
}
