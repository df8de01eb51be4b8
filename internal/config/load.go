package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// defaultFiles are the names looked for when no file is named, in this order.
var defaultFiles = []string{"rtcompare.toml", "finefile.toml"}

// standardInput is the name that stands for it.
const standardInput = "-"

// Source is where configuration files come from.
type Source struct {
	// ReadFile returns the content of a file.
	ReadFile func(name string) ([]byte, error)
	// Stdin is read once, for the name "-". It may be nil.
	Stdin io.Reader
	// Directory is the working directory, absolute.
	Directory string
}

// System returns a source that reads files of this machine.
func System(stdin io.Reader) (Source, error) {
	directory, err := os.Getwd()
	if err != nil {
		return Source{}, fmt.Errorf("finding the working directory: %w", err)
	}
	return Source{ReadFile: readFile, Stdin: stdin, Directory: directory}, nil
}

// readFile reads a file, but not endlessly: a device or a log is soon recognised.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, largestFile+1))
}

// Find returns the name of the configuration file of the working directory:
// rtcompare.toml, else finefile.toml. The error wraps fs.ErrNotExist if there is none.
func (s Source) Find() (string, error) {
	for _, name := range defaultFiles {
		_, err := s.ReadFile(filepath.Join(s.Directory, name))
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("reading the configuration: %w", err)
		}
	}
	return "", fmt.Errorf("no configuration: neither %s in %s; name a file, or write one with rtcompare config init: %w",
		strings.Join(defaultFiles, " nor "), s.Directory, fs.ErrNotExist)
}

// Read returns the content of a configuration file; "-" is standard input.
func (s Source) Read(name string) ([]byte, error) {
	if name == standardInput {
		if s.Stdin == nil {
			return nil, errors.New("reading the configuration: there is no standard input")
		}
		text, err := io.ReadAll(io.LimitReader(s.Stdin, largestFile+1))
		if err != nil {
			return nil, fmt.Errorf("reading the configuration from standard input: %w", err)
		}
		return text, nil
	}
	text, err := s.ReadFile(inside(s.Directory, name))
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return text, nil
}

// Load reads files and merges them: tables key by key, for all else the later file
// wins. A file that is named twice is read once, at its last place. Without files the
// one that [Source.Find] finds is read. Relative paths start from where the file
// named first lies.
//
// An error about what the files say is of the type [Problems] and holds all of them.
func Load(files []string, source Source) (Config, error) {
	if len(files) == 0 {
		name, err := source.Find()
		if err != nil {
			return Config{}, err
		}
		files = []string{name}
	}
	c := Config{Base: baseOf(files[0], source.Directory), Files: source.once(files)}
	var problems Problems
	for _, file := range c.Files {
		text, err := source.Read(file)
		if err != nil {
			return Config{}, err
		}
		tree, found := parse(file, text)
		problems = append(problems, found...)
		if tree == nil {
			continue
		}
		oneSpelling(tree, &problems)
		if c.root == nil {
			c.root = tree
		} else {
			merge(c.root, tree)
		}
	}
	if len(problems) > 0 { // without all files, more would be missed than is missing
		return Config{}, problems.err(c.Files)
	}
	return c.decode()
}

// decode turns the merged tree into values and checks them.
func (c Config) decode() (Config, error) {
	applyDefaults(c.root)
	d := decoder{base: c.Base}
	d.table(c.root, reflect.ValueOf(&c).Elem())
	checker := checker{config: &c, problems: d.problems}
	checker.all()
	if err := checker.problems.err(c.Files); err != nil {
		return Config{}, err
	}
	return c, nil
}

// once leaves out all but the last mention of each file.
func (s Source) once(files []string) []string {
	var kept []string
	seen := make(map[string]bool)
	for _, name := range slices.Backward(files) {
		place := name
		if name != standardInput {
			place = inside(s.Directory, name)
		}
		if !seen[place] {
			seen[place] = true
			kept = append(kept, name)
		}
	}
	slices.Reverse(kept)
	return kept
}

// baseOf returns the directory that relative paths of a file start from.
func baseOf(file, directory string) string {
	if file == standardInput {
		return directory
	}
	return filepath.Dir(inside(directory, file))
}
