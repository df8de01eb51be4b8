package config

// Command is something to measure: a command line, or with HTTP a load on a server.
type Command struct {
	// The command line to measure. Instead of it, http measures a server.
	Command string `toml:"command"`

	// The shell for the command and all steps; "none" starts programs directly.
	Shell string `toml:"shell" default:"bash"`

	// The working directory, relative to the configuration file. Default: where that
	// file lies.
	Dir string `toml:"dir" file:"true"`

	// Variables added to the environment. Values that are not strings are written as
	// in TOML.
	Env Environment `toml:"env"`

	// A step run once before the command's runs.
	Setup string `toml:"setup"`

	// A step run before each timed run.
	Prepare string `toml:"prepare"`

	// A step run after each timed run.
	Conclude string `toml:"conclude"`

	// A step run once after all runs.
	Cleanup string `toml:"cleanup"`

	// How many runs come first and are not counted.
	WarmupRuns int `toml:"warmup-runs" min:"0"`

	// The fewest timed runs. Without effect where runs is set. Default: 10, or
	// max-runs if that is smaller.
	MinRuns int `toml:"min-runs" min:"1"`

	// The most timed runs. Without effect where runs is set. Default: no limit.
	MaxRuns int `toml:"max-runs" min:"1"`

	// The exact number of timed runs. Default: as many as are needed; 10 for http.
	Runs int `toml:"runs" min:"1"`

	// The seconds from the start of setup to the end of cleanup after which the
	// command is ended and counts as failed. Default: no limit.
	TimeoutSeconds int `toml:"timeout-seconds" min:"1" max:"1000000000"`

	// The file for the results as JSON, relative to the configuration file. Commands
	// that name the same file share it.
	ExportJSON string `toml:"export-json" file:"true"`

	// Words to choose commands by.
	Tags []string `toml:"tags"`

	// A load on an HTTP server, measured instead of a command line. The name
	// alpha.http means the same.
	HTTP *HTTP `toml:"http" also:"alpha.http"`

	// Numbers to read from what the command prints, by name.
	Metrics map[string]Metric `toml:"metrics"`

	// The CPUs that the command may use: a number, an array of numbers, or a list
	// such as "0-3,8". Default: all.
	CPUs CPUs `toml:"cpus"`

	// What the command reads: a file relative to the configuration file, or "null"
	// for nothing.
	Input string `toml:"input" default:"null"`

	// Where the command's output goes: "null", "pipe" (read and dropped), "inherit",
	// or a file, written with a slash, relative to the configuration file.
	Output string `toml:"output" default:"null"`

	// Which failures are accepted: true for all, or an exit code or an array of them.
	IgnoreFailure ExitCodes `toml:"ignore-failure"`
}

// Metric is a number to read from what a command prints, by a regular expression or
// by a JSON path.
type Metric struct {
	// The regular expression; its group "value", or else its first group, is the number.
	Regexp string `toml:"regexp"`

	// The path to the number in printed JSON (RFC 9535).
	JSONPath string `toml:"jsonpath"`

	// The unit of the number, such as "ns" or "B/s".
	Unit string `toml:"unit"`

	// Which numbers are better.
	Better string `toml:"better" choices:"lower|higher" default:"lower"`

	// Where the number is printed.
	From string `toml:"from" choices:"stdout|stderr" default:"stdout"`
}
