package config

// HTTP is a load on an HTTP server: the requests, and how they are sent.
type HTTP struct {
	// The number of requests of one run. Where a comparison stops by itself it is the
	// most that a run may send.
	Requests int `toml:"requests" required:"true" min:"1"`

	// The number of connections, each with at most one request under way.
	Concurrency int `toml:"concurrency" min:"1" default:"1"`

	// The addresses to request, in turn; the turn goes on from one run to the next.
	URLs []string `toml:"urls"`

	// A shell command that prints the addresses, one a line. Not used if urls has any.
	URLsCommand string `toml:"urls-command"`

	// Text put in front of every address.
	URLPrefix string `toml:"url-prefix"`

	// The status, or an array of those, that count as success. Default: every 2xx.
	ExpectedStatus StatusCodes `toml:"expected-status"`

	// Whether failed requests are counted instead of ending the measurement.
	IgnoreFailure bool `toml:"ignore-failure"`

	// The method of the requests.
	Method string `toml:"method" default:"GET"`

	// Headers of the requests: a string each, or an array to send one several times.
	Headers Headers `toml:"headers"`

	// The body of the requests.
	Body string `toml:"body"`

	// The file with the body of the requests, relative to the configuration file.
	BodyFile string `toml:"body-file" file:"true"`

	// The user and password to send, as "user:password".
	BasicAuth string `toml:"basic-auth"`

	// The token to send as "Authorization: Bearer".
	Bearer string `toml:"bearer"`

	// Whether connections are used again.
	KeepAlive bool `toml:"keep-alive" default:"true"`

	// The seconds after which an attempt to connect has failed.
	ConnectTimeoutSeconds float64 `toml:"connect-timeout-seconds" above:"0" max:"1000000000" default:"30"`

	// The seconds after which a request without a complete answer has failed.
	TimeoutSeconds float64 `toml:"timeout-seconds" above:"0" max:"1000000000" default:"30"`

	// Whether to speak HTTP/2.
	HTTP2 bool `toml:"http2"`

	// The address of a proxy.
	Proxy string `toml:"proxy"`

	// How to trust the server and to identify to it over TLS.
	TLS *TLS `toml:"tls"`

	// What every answer has to hold, or the request has failed.
	ExpectedBody *ExpectedBody `toml:"expected-body"`

	// Requests per second, sent whether or not earlier answers have come. Default: each
	// connection sends its next request once it has an answer.
	Rate float64 `toml:"rate" above:"0"`

	// How requests at a fixed rate are spread: evenly, or at random times (poisson).
	RateDistribution string `toml:"rate-distribution" choices:"even|poisson" default:"even"`

	// The number of threads that send. Default: half of the CPUs.
	Loops int `toml:"loops" min:"1"`
}

// TLS says how to trust a server and how to identify to it.
type TLS struct {
	// A file of certificates that are trusted instead of the system's.
	CAFile string `toml:"ca-file" file:"true"`

	// Whether to trust any certificate.
	InsecureSkipVerify bool `toml:"insecure-skip-verify"`

	// The file with the client's certificate. It needs key-file as well.
	CertFile string `toml:"cert-file" file:"true"`

	// The file with the client's private key.
	KeyFile string `toml:"key-file" file:"true"`
}

// ExpectedBody is a check of every answer's body. Exactly one field is set.
type ExpectedBody struct {
	// The whole body.
	Equals *string `toml:"equals"`

	// Text that the body contains.
	Contains *string `toml:"contains"`

	// A regular expression that the body matches.
	Regexp *string `toml:"regexp"`
}
