package view

import (
	"fmt"
	"math"
	"strings"
)

// Doctor is what there is to say about a machine before anything is measured on
// it.
type Doctor struct {
	Machine  DoctorMachine
	Findings []DoctorFinding
	// Noise is what identical code showed; it is empty where that was not
	// measured.
	Noise []DoctorNoise
	// Width is the number of columns; 0 means 80.
	Width int
}

// DoctorMachine describes the machine. What is empty or 0 is unknown and left
// out.
type DoctorMachine struct {
	CPU         string
	CPUs        int
	CPUQuota    float64
	MemoryBytes uint64
	System      string
	Virtual     string
	Container   string
	Governor    string
	Turbo, SMT  string
	Power       string
	Load        float64 // -1: unknown
	ClockSource string
	Tick, Read  float64 // nanoseconds
	// Counted are the names of the events that can be counted here, Missing the
	// others by the reason why they cannot.
	Counted []string
	Missing []MissingCounters
}

// MissingCounters are events that cannot be counted for one reason.
type MissingCounters struct {
	Names  []string
	Reason string
}

// DoctorFinding is a piece of advice with the command that follows it.
type DoctorFinding struct{ Severity, Text, Command string }

// DoctorNoise is what identical code of one kind showed as a difference. Shares
// are relative differences of one run of identical code.
type DoctorNoise struct {
	Kind             string
	Typical, Largest float64
	// Needs are the seconds that it would take to find differences of the sizes
	// of DoctorSizes nine times in ten; NaN or infinite where that is unknown.
	Needs []float64
	// Problem says why nothing was measured; it is empty where it was.
	Problem string
}

// DoctorSizes are the differences whose cost is shown.
func DoctorSizes() []float64 { return []float64{0.05, 0.03, 0.01} }

// DoctorFacts renders what can be said without measuring.
func DoctorFacts(d Doctor) string {
	out := &sheet{width: d.Width}
	m := d.Machine
	out.row("Machine", nonEmpty(m.CPU, cpus(m), memory(m.MemoryBytes), m.System))
	out.row("Setup", nonEmpty(
		labelled("governor ", m.Governor), labelled("turbo ", m.Turbo), labelled("SMT ", m.SMT), m.Power,
		labelled("virtual machine: ", m.Virtual), labelled("container: ", m.Container), load(m)))
	out.row("Clock", nonEmpty(m.ClockSource, nanoseconds("step ", m.Tick), nanoseconds("a reading takes ", m.Read)))
	counters(out, m)
	out.line("")
	if len(d.Findings) == 0 {
		out.line("Nothing about this machine stands in the way of measuring.")
	}
	for _, f := range d.Findings {
		out.entry(severityWord(f.Severity), f.Text)
		if f.Command != "" {
			out.line(strings.Repeat(" ", doctorIndent) + "$ " + f.Command) // in one line, to be copied
		}
	}
	return out.String()
}

// counters says which events can be counted, and of the others why not.
func counters(out *sheet, m DoctorMachine) {
	if len(m.Counted) == 0 && len(m.Missing) == 1 {
		out.row("Counters", []string{"none: " + m.Missing[0].Reason})
		return
	}
	if len(m.Counted) > 0 {
		out.row("Counters", []string{strings.Join(m.Counted, ", ")})
	}
	for _, missing := range m.Missing {
		out.row("No counter", []string{strings.Join(missing.Names, ", ") + ": " + missing.Reason})
	}
}

// severityWord is how a severity reads in front of a finding.
func severityWord(severity string) string {
	if severity == "" {
		return "Note"
	}
	return strings.ToUpper(severity[:1]) + severity[1:]
}

// DoctorNoiseFloor renders what identical code showed.
func DoctorNoiseFloor(d Doctor) string {
	out := &sheet{width: d.Width}
	out.line("What identical code shows as a difference here (noise floor), and the time that")
	out.line("it takes to find a real one nine times in ten:")
	header := fmt.Sprintf("  %-14s %9s %9s  ", "", "typical", "largest")
	for _, size := range DoctorSizes() {
		header += fmt.Sprintf(" %9s", fmt.Sprintf("%.0f%% takes", 100*size))
	}
	out.line(header)
	for _, n := range d.Noise {
		if n.Problem != "" {
			out.line(fmt.Sprintf("  %-14s %s", n.Kind, n.Problem))
			continue
		}
		row := fmt.Sprintf("  %-14s %9s %9s  ", n.Kind, Percent(n.Typical), Percent(n.Largest))
		for _, seconds := range n.Needs {
			row += fmt.Sprintf(" %9s", needed(seconds))
		}
		out.line(row)
	}
	return out.String()
}

// needed renders an expected measuring time.
func needed(seconds float64) string {
	const tooLong = 24 * 3600
	switch {
	case math.IsNaN(seconds) || seconds <= 0:
		return "unknown"
	case seconds > tooLong:
		return "> a day"
	}
	return Seconds(seconds)
}

func cpus(m DoctorMachine) string {
	switch {
	case m.CPUs == 0:
		return ""
	case m.CPUQuota > 0:
		return fmt.Sprintf("%s, of which %.2g may be used", counted(m.CPUs, "CPU", "CPUs"), m.CPUQuota)
	}
	return counted(m.CPUs, "CPU", "CPUs")
}

func nanoseconds(label string, ns float64) string {
	if !(ns > 0) {
		return ""
	}
	return fmt.Sprintf("%s%.0f ns", label, ns)
}

func memory(bytes uint64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g GiB", float64(bytes)/(1<<30))
}

func load(m DoctorMachine) string {
	if m.Load < 0 {
		return ""
	}
	return fmt.Sprintf("load %.1f", m.Load)
}

func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

func nonEmpty(parts ...string) []string {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return kept
}

// doctorIndent is where texts begin.
const doctorIndent = 12

// sheet collects lines of a width.
type sheet struct {
	strings.Builder
	width int
}

func (s *sheet) line(text string) { s.WriteString(text + "\n") }

// row writes a title and parts with dots between them.
func (s *sheet) row(title string, parts []string) {
	if len(parts) > 0 {
		s.entry(title, strings.Join(parts, " · "))
	}
}

// entry writes a word and a text beside it, broken between words.
func (s *sheet) entry(word, text string) {
	width := s.width
	if width <= 2*doctorIndent {
		width = 80
	}
	beginning := fmt.Sprintf("%-*s", doctorIndent, word)
	line := beginning
	for _, w := range strings.Fields(text) {
		if len([]rune(line))+len([]rune(w)) > width && line != beginning {
			s.line(strings.TrimRight(line, " "))
			line = strings.Repeat(" ", doctorIndent)
			beginning = line
		}
		line += w + " "
	}
	s.line(strings.TrimRight(line, " "))
}
