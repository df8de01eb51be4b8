// Command rtcompare says whether one of two candidates is really faster.
package main

import (
	"fmt"
	"os"

	"github.com/rtcompare/rtcompare/internal/cli"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

func main() {
	spawn.Serve()
	app, err := cli.New()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rtcompare: error:", err)
		os.Exit(cli.ExitUsage)
	}
	os.Exit(app.Main(os.Args[1:]))
}
