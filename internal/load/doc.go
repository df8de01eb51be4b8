// Package load sends HTTP requests to a server and measures how it answers.
//
// A [Generator] holds its connections open across runs. In the closed loop every
// connection has one request in flight and sends the next as soon as the answer
// is there; the outcome is how long a number of requests took. In the open loop
// requests have planned times, whatever the server does, and a latency counts
// from the planned time, so that a server that stalls is charged for every
// request it kept waiting.
//
// On Linux plain HTTP/1.1 runs on event loops: a thread each, epoll, requests
// built in advance, answers parsed where they lie, nothing allocated. TLS and
// other systems take a goroutine per connection with the same parser. HTTP/2 and
// proxies go through net/http, which costs several times the processor time.
//
// The package measures; it judges nothing and knows no arms.
package load
