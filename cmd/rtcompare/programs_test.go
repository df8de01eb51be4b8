package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// serve answers every request after a delay, until it is killed.
func serve() {
	delay := flag.Duration("delay", 0, "how long an answer takes")
	status := flag.Int("status", 200, "the status of every answer")
	after := flag.Int64("die-after", 0, "end after so many requests")
	stall := flag.Int64("stall-after", 0, "answer so many requests and no more")
	file := flag.String("addr-file", "", "`FILE` to write the address to")
	flag.Parse()
	var requests atomic.Int64
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch count := requests.Add(1); {
		case *after > 0 && count > *after:
			os.Exit(0)
		case *stall > 0 && count > *stall:
			select {}
		}
		time.Sleep(*delay)
		w.WriteHeader(*status)
		fmt.Fprintln(w, "hello", r.Method, r.URL.Path, r.Header.Get("X-Send"), r.Header.Get("Authorization"))
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		err = writeWhole(*file, listener.Addr().String())
	}
	if err == nil {
		err = server.Serve(listener)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// writeWhole writes a file under a temporary name, so that a script that waits
// for it never reads half of it.
func writeWhole(file, text string) error {
	if err := os.WriteFile(file+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// busy uses a processor for a time, prints a number, and exits with a code.
func busy() {
	length := flag.Duration("for", 0, "how long")
	code := flag.Int("exit", 0, "exit code")
	rate := flag.Float64("rate", 100, "number to print")
	flag.Parse()
	for start := time.Now(); time.Since(start) < *length; {
	}
	fmt.Printf("rate %g items/s\n{\"rate\": %g}\n", *rate, *rate)
	os.Exit(*code)
}

// recordCall adds a line to a file: its arguments, and the values of the
// variables among them that are written as @NAME.
func recordCall() {
	words := os.Args[2:]
	for i, word := range words {
		if name, ok := strings.CutPrefix(word, "@"); ok {
			words[i] = os.Getenv(name)
		}
	}
	file, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(file, strings.Join(words, " "))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
