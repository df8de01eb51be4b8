package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
)

func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

// writeAddress writes a file under a temporary name, so that a script that waits
// for it never reads half of it.
func writeAddress(file, address string) error {
	if err := os.WriteFile(file+".new", []byte(address), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// marked lists the processes with a mark in their environment.
func marked(mark string) []string {
	var found []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err == nil && bytes.Contains(environ, []byte(mark)) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			if len(command) > 0 {
				found = append(found, string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
			}
		}
	}
	return found
}
