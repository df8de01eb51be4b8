package config

// Methods of a comparison.
const (
	// Anytime stops as soon as the answer is clear and stays right whenever it stops.
	Anytime = "anytime"
	// JZS is finefile's rule: Bayes factors of batched rounds.
	JZS = "jzs"
	// Fixed measures a number of runs that is known before.
	Fixed = "fixed"
)

// Comparison asks which of its arms is faster. The first arm is what the others are
// compared with. Once loaded, Arms holds all sides, those written as a and b too.
type Comparison struct {
	// The command that the other one is compared with.
	A string `toml:"a"`

	// The command that is compared.
	B string `toml:"b"`

	// Instead of a and b: the commands to compare, the first with all others.
	Arms []string `toml:"arms" items:"2"`

	// When to stop: anytime (as soon as the answer is clear), jzs (finefile's rule) or
	// fixed (after a known number of runs).
	Method string `toml:"method" choices:"anytime|jzs|fixed" default:"anytime"`

	// The share of comparisons of equal things that may be answered "faster" or
	// "slower"; for the method jzs, one minus its certainty. Default: 0.01, and 0.05
	// for the method fixed.
	ErrorRate float64 `toml:"error-rate" above:"0" below:"0.5"`

	// The largest relative difference that does not matter.
	Margin float64 `toml:"margin" min:"0" below:"1" default:"0.01"`

	// The seconds after which the comparison stops without an answer. Default: as the
	// command line says.
	TimeSeconds float64 `toml:"time-seconds" above:"0" max:"1000000000"`

	// The most rounds. Each round runs every arm at least once. Default: no limit, and
	// 200 for the method jzs.
	MaxRounds int `toml:"max-rounds" min:"1" max:"1000000000"`

	// How many rounds come first and are not counted.
	WarmupRuns int `toml:"warmup-runs" min:"0" default:"3"`

	// The number of timed runs of each arm, with the method fixed only.
	Runs int `toml:"runs" min:"2"`

	// What is compared: time, or another measured number, or one of the commands'
	// metrics.
	Metric string `toml:"metric" default:"time"`

	// The file for the result as JSON, relative to the configuration file.
	ExportJSON string `toml:"export-json" file:"true"`

	// Words to choose comparisons by.
	Tags []string `toml:"tags"`

	// Whether all arms run on the same CPU, where their own cpus say nothing else.
	Pin bool `toml:"pin"`
}

// AlphaComparison is a comparison by finefile's rule: two HTTP commands, whole runs,
// a Bayes factor after every round.
type AlphaComparison struct {
	// The first command.
	A string `toml:"a" required:"true"`

	// The second command.
	B string `toml:"b" required:"true"`

	// The probability at which the comparison is decided.
	Certainty float64 `toml:"certainty" above:"0.5" below:"1" default:"0.99"`

	// The share of the credible interval.
	CredibleMass float64 `toml:"credible-mass" above:"0.5" below:"1" default:"0.95"`

	// The largest relative difference that does not matter; 0 decides by whether there
	// is any difference.
	MinEffect float64 `toml:"min-effect" min:"0" default:"0.01"`

	// The scale of the Cauchy prior on the standardized effect.
	PriorScale float64 `toml:"prior-scale" above:"0" default:"0.707"`

	// The order of runs: a b b a, or a b.
	Interleave string `toml:"interleave" choices:"abba|alternate" default:"abba"`

	// The fewest rounds that are averaged into one value; 1 takes every round as
	// independent.
	BatchRounds int `toml:"batch-rounds" min:"1" max:"1000000000" default:"4"`

	// The first round at which the comparison may be decided. Default: 16, or four
	// times batch-rounds if that is more.
	MinRounds int `toml:"min-rounds" min:"2" max:"1000000000"`

	// The round after which the comparison ends without an answer.
	MaxRounds int `toml:"max-rounds" min:"2" max:"1000000000" default:"200"`

	// How many pairs of runs come first and are not counted.
	WarmupRuns int `toml:"warmup-runs" min:"0" default:"3"`

	// The seconds after which the comparison ends without an answer. Default: no limit.
	TimeoutSeconds *int `toml:"timeout-seconds" min:"0" max:"1000000000"`

	// The file for the result as JSON, relative to the configuration file.
	// Comparisons that name the same file share it.
	ExportJSON string `toml:"export-json" file:"true"`
}

// Plot is a picture of the results.
type Plot struct {
	// The picture's file, ending in .svg or .html, relative to the configuration file.
	File string `toml:"file" required:"true" file:"true"`

	// What the picture shows.
	Type string `toml:"type" required:"true" choices:"histogram|whisker"`

	// The heading. Default: the plot's name.
	Title string `toml:"title"`

	// The commands to show. Default: all that were measured.
	Commands []string `toml:"commands"`
}
