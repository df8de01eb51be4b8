package parameters

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// OutputKind is a way to deal with what a command prints.
type OutputKind int

const (
	// OutputNull throws it away unread.
	OutputNull OutputKind = iota
	// OutputPipe reads it through a pipe and throws it away: some programs do
	// less work when nobody reads.
	OutputPipe
	// OutputInherit lets it through to where this program prints.
	OutputInherit
	// OutputFile writes it to a file.
	OutputFile
)

// Output is where the output of a command goes. The zero value throws it away.
type Output struct {
	// Kind is the way.
	Kind OutputKind
	// File is the file's name when Kind is OutputFile.
	File string
}

// ParseOutput reads the value of --output: null, pipe, inherit or a file. A file
// has to be written with a folder, ./out for one in the working directory, so
// that a mistyped word does not become a file.
func ParseOutput(text string) (Output, error) {
	switch text {
	case "null", "":
		return Output{}, nil
	case "pipe":
		return Output{Kind: OutputPipe}, nil
	case "inherit":
		return Output{Kind: OutputInherit}, nil
	}
	last := strings.LastIndexFunc(text, isSeparator)
	switch {
	case last < 0:
		return Output{}, fmt.Errorf("--output=%s is none of null, pipe, inherit: for a file of that name write ./%s", text, text)
	case last == len(text)-1:
		return Output{}, fmt.Errorf("--output=%s is a folder: name a file in it", text)
	}
	return Output{Kind: OutputFile, File: text}, nil
}

// isSeparator reports whether r separates the folders in a file name here.
func isSeparator(r rune) bool { return r == '/' || r == os.PathSeparator }

// ParseInput reads the value of --input, null or a file, and returns the file's
// name, empty for no input. Stat looks the file up; os.Stat does. A file that
// does not exist, and a folder, are errors.
func ParseInput(text string, stat func(name string) (fs.FileInfo, error)) (file string, err error) {
	if text == "" || text == "null" {
		return "", nil
	}
	info, err := stat(text)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("--input=%s: there is no such file", text)
	case err != nil:
		return "", fmt.Errorf("--input=%s: %w", text, err)
	case info.IsDir():
		return "", fmt.Errorf("--input=%s is a folder: name a file in it", text)
	}
	return text, nil
}
