package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const (
	defaultMinRuns  = 10 // of a command line, where runs is not set
	defaultHTTPRuns = 10
)

// command checks a command and fills in what depends on several of its keys.
func (c *checker) command(n *node, command *Command) {
	if n.table == nil {
		return
	}
	c.apart(n, "command", httpKey)
	steps := command.Setup + command.Prepare + command.Conclude + command.Cleanup
	if n.find("command") == nil && n.find(httpKey) == nil && steps == "" {
		c.problems.add(n.keyAt, `add "command" or "http"`, "%s has nothing to run", n.path())
	}
	if written := n.find("command"); written != nil && written.value == "" {
		c.at(written, "", "%s is empty", written.path())
	}
	if command.Dir == "" {
		command.Dir = c.config.Base
	}
	c.runs(n, command)
	c.streams(n, command)
	for _, name := range slices.Sorted(maps.Keys(command.Metrics)) {
		c.metric(n.find("metrics", name), command.Metrics[name])
	}
	if command.HTTP != nil && n.find(httpKey).table != nil {
		c.http(n.find(httpKey), command.HTTP)
	}
}

// runs checks the numbers of runs against each other.
func (c *checker) runs(n *node, command *Command) {
	if command.HTTP != nil {
		if command.Runs == 0 {
			command.Runs = defaultHTTPRuns
		}
		return // the others have no effect
	}
	if command.Runs == 0 && command.MinRuns > 0 && command.MaxRuns > 0 && command.MaxRuns < command.MinRuns {
		c.at(n.find("max-runs"), "", "%s is %d, less than min-runs, which is %d",
			n.find("max-runs").path(), command.MaxRuns, command.MinRuns)
	}
	if command.MinRuns == 0 {
		command.MinRuns = defaultMinRuns
		if command.MaxRuns > 0 {
			command.MinRuns = min(command.MinRuns, command.MaxRuns)
		}
	}
}

// streams resolves the files that a command reads and writes.
func (c *checker) streams(n *node, command *Command) {
	if command.Input != "null" && command.Input != "" {
		command.Input = inside(c.config.Base, command.Input)
	}
	switch command.Output {
	case "null", "pipe", "inherit", "":
	default:
		// A bare word is more likely a mistyped one of the above than a file.
		if !strings.ContainsAny(command.Output, `/\`) {
			c.at(n.find("output"), "write null, pipe or inherit, or ./"+command.Output+" for a file",
				"%s cannot be %q", n.find("output").path(), command.Output)
		}
		command.Output = inside(c.config.Base, command.Output)
	}
}

func (c *checker) metric(n *node, metric Metric) {
	if n.table == nil {
		return
	}
	if given := c.apart(n, "regexp", "jsonpath"); len(given) == 0 {
		c.problems.add(n.keyAt, `add "regexp" or "jsonpath"`, "%s does not say how to find the number", n.path())
	}
	if pattern, ok := c.pattern(n.find("regexp"), metric.Regexp); ok && pattern.NumSubexp() == 0 {
		c.at(n.find("regexp"), "put the number in parentheses", "%s has no group", n.find("regexp").path())
	}
	if path := n.find("jsonpath"); path != nil && metric.JSONPath != "" && !strings.HasPrefix(metric.JSONPath, "$") {
		c.at(path, "a JSON path begins with $, such as $.total", "%s is no JSON path", path.path())
	}
}

// pattern compiles a regular expression. It returns false when there is none, or none
// that is right.
func (c *checker) pattern(n *node, text string) (*regexp.Regexp, bool) {
	if n == nil {
		return nil, false
	}
	if _, ok := n.value.(string); !ok {
		return nil, false
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		c.at(n, "", "%s is no regular expression: %s", n.path(), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return nil, false
	}
	return pattern, true
}

// http checks a load on a server.
func (c *checker) http(n *node, load *HTTP) {
	urls, command := n.find("urls"), n.find("urls-command")
	switch {
	case urls == nil && command == nil:
		c.problems.add(n.keyAt, "add one", `%s has neither "urls" nor "urls-command"`, n.path())
	case command == nil && urls.array && len(urls.items) == 0:
		c.at(urls, "", "%s is empty", urls.path())
	case urls == nil && command.value == "":
		c.at(command, "", "%s is empty", command.path())
	}
	for i, text := range load.URLs {
		c.url(urls.items[i], load.URLPrefix+text)
	}
	if proxy := n.find("proxy"); proxy != nil {
		c.url(proxy, load.Proxy)
	}
	if method := n.find("method"); method != nil && load.Method != "" && !isToken(load.Method) || method != nil && method.value == "" {
		c.at(method, "write GET, POST or another method", "%s cannot be %q", method.path(), load.Method)
	}
	c.apart(n, "body", "body-file")
	c.authorization(n, load)
	if load.TLS != nil {
		c.tls(n.find("tls"))
	}
	if load.ExpectedBody != nil {
		c.expectedBody(n.find("expected-body"), load.ExpectedBody)
	}
	if even := n.find("rate-distribution"); even != nil && n.find("rate") == nil {
		c.at(even, `add "rate"`, "%s has no effect without a rate", even.path())
	}
}

// url notes an address that no request can be sent to.
func (c *checker) url(n *node, text string) {
	if _, ok := n.value.(string); !ok {
		return
	}
	parsed, err := url.Parse(text)
	switch {
	case strings.HasPrefix(text, "unix:"):
	case err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != "":
	case !strings.Contains(text, "://"):
		c.at(n, "begin it with http:// or https://", "%s is no address: %q", n.path(), text)
	default:
		c.at(n, "write http://host:port/path", "%s is no address: %q", n.path(), text)
	}
}

func (c *checker) authorization(n *node, load *HTTP) {
	given := c.apart(n, "basic-auth", "bearer")
	if basic := n.find("basic-auth"); basic != nil && !strings.Contains(load.BasicAuth, ":") {
		c.at(basic, `write "user:password"`, "%s has no colon", basic.path())
	}
	if len(given) == 0 {
		return
	}
	for name := range load.Headers {
		if strings.EqualFold(name, "Authorization") {
			c.problems.add(n.find(given[0]).keyAt, "keep one of them", "%s has both %s and a header %s",
				n.path(), given[0], name)
		}
	}
}

func (c *checker) tls(n *node) {
	certificate, key := n.find("cert-file"), n.find("key-file")
	if (certificate == nil) != (key == nil) {
		c.problems.add(n.keyAt, "they come in pairs", "%s has only one of cert-file and key-file", n.path())
	}
}

func (c *checker) expectedBody(n *node, body *ExpectedBody) {
	if given := c.apart(n, "equals", "contains", "regexp"); len(given) == 0 && n.table != nil {
		c.problems.add(n.keyAt, "add equals, contains or regexp", "%s expects nothing", n.path())
	}
	if body.Regexp != nil {
		c.pattern(n.find("regexp"), *body.Regexp)
	}
}
