// Command rtcompare-lab tests what rtcompare promises. Every number in the
// documents about error rates, coverage, cost and traps is printed by one of
// its sub-commands; without arguments it lists them.
package main

import (
	"fmt"
	"os"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

func main() {
	spawn.Serve()
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "rtcompare-lab: error:", err)
		os.Exit(1)
	}
}
