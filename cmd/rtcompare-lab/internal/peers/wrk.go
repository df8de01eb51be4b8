package peers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/proc"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// wrkConnections is how many connections each generator has.
const wrkConnections = 64

// nginxConfig is one process that answers 13 bytes.
const nginxConfig = `daemon off;
master_process off;
pid %[1]s/nginx.pid;
error_log %[1]s/nginx.log;
events { worker_connections 1024; }
http {
	access_log off;
	keepalive_requests 1000000000;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	server {
		listen 127.0.0.1:%[2]d;
		location / { return 200 "Hello, World!"; }
	}
}
`

// loaded is what a generator did in one run.
type loaded struct {
	perSecond float64
	// cpu is the generator's processor time per request, in nanoseconds.
	cpu float64
}

// AgainstWrk loads two servers with wrk and with the load generator, each a
// process of its own with one thread.
func AgainstWrk(s Setup, duration time.Duration) (*sheet.Sheet, error) {
	p, err := s.open()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := errors.Join(p.need("wrk", "apt-get install wrk"), p.need("nginx", "apt-get install nginx")); err != nil {
		return nil, err
	}
	nginx, stop, err := p.startNginx()
	if err != nil {
		return nil, err
	}
	defer stop()
	plain, err := startServer(s.Context, "-role", rolePlain)
	if err != nil {
		return nil, err
	}
	defer plain.stop()
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("against-wrk: %d connections, runs of %v, wrk -t1 and the load generator with one event loop, in random order", wrkConnections, duration),
		Trials:  s.Trials,
		Columns: []string{"server", "generator", "requests per second", "lowest", "highest", "processor time per request, µs"},
	}
	random := rand.New(rand.NewPCG(s.Seed, 1))
	servers := []struct{ name, url string }{{"nginx, one process", nginx}, {"Go net/http", plain.url()}}
	seen := map[string][2][]loaded{}
	for trial := range s.Trials {
		for _, at := range random.Perm(2 * len(servers)) {
			server, which := servers[at/2], at%2
			done, err := p.loadOnce(which, server.url, duration)
			if err != nil {
				return nil, err
			}
			both := seen[server.name]
			both[which] = append(both[which], done)
			seen[server.name] = both
		}
		s.progress("runs", trial+1)
	}
	for _, server := range servers {
		addWrk(table, server.name, seen[server.name])
	}
	table.Notes = []string{
		"Processor time is that of the generator's whole process, its start included, as the kernel accounts for it.",
		p.conditions(),
	}
	return table, nil
}

func addWrk(table *sheet.Sheet, server string, seen [2][]loaded) {
	var rate, cpu [2]float64
	for which, generator := range []string{"wrk -t1", "rtcompare"} {
		var rates, costs []float64
		for _, l := range seen[which] {
			rates, costs = append(rates, l.perSecond), append(costs, l.cpu)
		}
		rate[which], cpu[which] = stat.Median(rates), stat.Median(costs)
		low, high := extremes(rates)
		table.Add(server, generator, fmt.Sprintf("%.0f", rate[which]), fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f", high), fmt.Sprintf("%.2f", cpu[which]/1e3))
	}
	table.Bars = append(table.Bars,
		sheet.Bar{Name: server + ": requests per second for one of wrk, medians", Kind: sheet.Number, Limit: 1, AtLeast: true, Measured: rate[1] / rate[0], Trials: len(seen[1])},
		sheet.Bar{Name: server + ": processor time per request for one of wrk, medians", Kind: sheet.Number, Limit: 1, Measured: cpu[1] / cpu[0], Trials: len(seen[1])},
	)
}

func extremes(values []float64) (low, high float64) {
	low, high = values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// loadOnce is one run of wrk (0) or of the load generator (1).
func (p *place) loadOnce(which int, url string, duration time.Duration) (loaded, error) {
	if which == 0 {
		return p.byWrk(url, duration)
	}
	program, err := os.Executable()
	if err != nil {
		return loaded{}, fmt.Errorf("finding this program to load a server: %w", err)
	}
	exit, err := p.run([]string{program, ChildCommand, "-role", roleLoad, "-url", url, "-concurrency", strconv.Itoa(wrkConnections), "-for", duration.String()})
	if err != nil {
		return loaded{}, err
	}
	var report loadReport
	if err := json.Unmarshal(exit.Stdout, &report); err != nil {
		return loaded{}, fmt.Errorf("reading what the load generator printed: %w", err)
	}
	return loaded{report.PerSecond, float64(exit.Usage.CPU()) / float64(report.Requests)}, nil
}

var (
	wrkRequests = regexp.MustCompile(`(\d+) requests in`)
	wrkRate     = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	wrkProblems = regexp.MustCompile(`Non-2xx or 3xx responses:|Socket errors:`)
)

func (p *place) byWrk(url string, duration time.Duration) (loaded, error) {
	seconds := max(1, int(duration.Round(time.Second)/time.Second))
	exit, err := p.run([]string{"wrk", "-t1", "-c" + strconv.Itoa(wrkConnections), fmt.Sprintf("-d%ds", seconds), url})
	if err != nil {
		return loaded{}, err
	}
	return readWrk(exit.Stdout, exit.Usage.CPU())
}

// readWrk finds the figures in what wrk printed.
func readWrk(text []byte, cpu time.Duration) (loaded, error) {
	requests, rate := wrkRequests.FindSubmatch(text), wrkRate.FindSubmatch(text)
	if requests == nil || rate == nil || wrkProblems.Match(text) {
		return loaded{}, fmt.Errorf("wrk did not do what was asked:\n%s", text)
	}
	count, err := strconv.ParseFloat(string(requests[1]), 64)
	if err != nil || count == 0 {
		return loaded{}, fmt.Errorf("wrk did not do what was asked:\n%s", text)
	}
	perSecond, err := strconv.ParseFloat(string(rate[1]), 64)
	if err != nil {
		return loaded{}, fmt.Errorf("reading what wrk printed: %w", err)
	}
	return loaded{perSecond, float64(cpu) / count}, nil
}

// startNginx starts nginx on a free port and waits until it answers.
func (p *place) startNginx() (url string, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(p.dir, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxConfig, p.dir, port), 0o600); err != nil {
		return "", nil, fmt.Errorf("writing nginx's configuration: %w", err)
	}
	path := "/usr/sbin/nginx"
	if _, err := os.Stat(path); err != nil {
		path = "nginx"
	}
	ctx, cancel := context.WithCancel(p.ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := proc.Run(ctx, proc.Command{Path: path, Args: []string{"-c", file, "-p", p.dir, "-e", filepath.Join(p.dir, "nginx.log")}, Env: os.Environ(), Stderr: os.Stderr})
		ended <- err
	}()
	stop = func() { cancel(); <-ended }
	url = fmt.Sprintf("http://127.0.0.1:%d/", port)
	if err := answers(ctx, url); err != nil {
		stop()
		return "", nil, fmt.Errorf("starting nginx: %w", err)
	}
	return url, stop, nil
}

// freePort is a port of the loopback that nobody listens on.
func freePort() (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// answers waits until a server answers 13 bytes, for at most ten seconds.
func answers(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK && len(text) == 13 {
				return nil
			}
			err = fmt.Errorf("it answers %s with %d bytes", response.Status, len(text))
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}
