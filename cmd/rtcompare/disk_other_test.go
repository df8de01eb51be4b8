//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func mounted(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("mounted needs Linux") }

func condition(name string) (bool, error) {
	if name != "mount" {
		return false, errUnknownCondition
	}
	return false, nil
}
