package house_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// publishedAPI holds the exported declarations of the published v0.8.1 as Go
// text without bodies, the root package's first.
const publishedAPI = "internal/house/testdata/api-root.txt"

// TestPublishedAPI checks that whatever v0.8.1 exported is still there with the
// same type and value. More names, and more fields in a struct, are welcome.
func TestPublishedAPI(t *testing.T) {
	fset := token.NewFileSet()
	compiled := exportDataImporter(t, fset, modulePath, "context", "time")
	ours, err := compiled.Import(modulePath)
	if err != nil {
		t.Fatalf("reading the compiled package: %v", err)
	}
	published, err := checkDeclarations(fset, compiled, readFile(t, publishedAPI))
	if err != nil {
		t.Fatalf("%s: %v", publishedAPI, err)
	}
	if n := len(published.Scope().Names()); n < 60 {
		t.Fatalf("%s has only %d names", publishedAPI, n)
	}
	if differences := apiDifferences(published, ours); len(differences) > 0 {
		t.Errorf("%d differences from the published API:\n%s", len(differences), strings.Join(differences, "\n"))
	}
}

// exportDataImporter compiles the packages and returns an importer that reads
// the compiler's own description of them: unlike a look at the source it holds
// for constants and types that come from other packages.
func exportDataImporter(t *testing.T, fset *token.FileSet, packages ...string) types.Importer {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages...)
	files := make(map[string]string)
	for line := range strings.Lines(string(goCommand(t, root(t), nil, args...))) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
}

// checkDeclarations type-checks the text of an API as if it were the root
// package. Prose before the first declaration is dropped.
func checkDeclarations(fset *token.FileSet, imp types.Importer, text string) (*types.Package, error) {
	var source bytes.Buffer
	source.WriteString("package rtcompare\nimport (\"context\"; \"time\")\nvar _ context.Context\nvar _ time.Time\n")
	lines := strings.SplitAfter(text, "\n")
	first := slices.IndexFunc(lines, isDeclaration)
	source.WriteString(strings.Join(lines[max(first, 0):], ""))
	file, err := parser.ParseFile(fset, "published.go", source.Bytes(), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: imp}
	return config.Check(modulePath, fset, []*ast.File{file}, nil)
}

func isDeclaration(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"const", "func", "type", "var"}, word)
}

// TestAPIDifferences checks the checker: each kind of change is seen, and what
// is allowed is not reported.
func TestAPIDifferences(t *testing.T) {
	const published = `
const Runs = 40
const Most uint64 = 7
const Wait = 3 * time.Second
type Order int
type Opaque struct {
}
type Options struct {
	Level float64
	Seed uint64 ` + "`json:\"seed\"`" + `
	Call func(done int)
}
type Pair struct { A, B int }
func (p Pair) Sum(more int) int
func (o *Opaque) Next() Order
func Run(ctx context.Context, o Options) (n int, err error)
`
	tests := []struct{ name, from, to, want string }{
		{"nothing", "", "", ""},
		{"parameter names", "Run(ctx context.Context, o Options) (n int, err error)", "Run(context.Context, Options) (int, error)", ""},
		{"parameter name in a field", "func(done int)", "func(int)", ""},
		{"more fields", "\tLevel float64", "\tLevel float64\n\tMore []int", ""},
		{"more methods", "func Run", "func (p Pair) More()\nfunc Run", ""},
		{"value", "Runs = 40", "Runs = 41", "Runs"},
		{"type of a constant", "Most uint64", "Most", "Most"},
		{"value of a duration", "3 * time", "2 * time", "Wait"},
		{"a missing function", "func Run(ctx context.Context, o Options) (n int, err error)", "", "Run"},
		{"a parameter", "o Options) (n", "o *Options) (n", "Run"},
		{"a result", "err error", "err string", "Run"},
		{"underlying type", "Order int", "Order string", "Order"},
		{"alias", "Order int", "Order = int", "Order"},
		{"a field's type", "Level float64", "Level float32", "Options.Level"},
		{"a field's tag", `json:"seed"`, `json:"Seed"`, "Options.Seed"},
		{"a missing field", "\tLevel float64\n", "", "Options.Level"},
		{"order of fields", "{ A, B int }", "{ B, A int }", "Pair"},
		{"no longer comparable", "{ A, B int }", "{ A, B int; C []int }", "Pair"},
		{"a missing method", "func (p Pair) Sum(more int) int", "", "Pair.Sum"},
		{"a method's parameter", "Sum(more int)", "Sum(more int8)", "Pair.Sum"},
		{"a pointer receiver", "(p Pair)", "(p *Pair)", "Pair.Sum"},
		{"a value receiver", "(o *Opaque)", "(o Opaque)", ""},
	}
	fset := token.NewFileSet()
	std := exportDataImporter(t, fset, "context", "time")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, err := checkDeclarations(fset, std, published)
			if err != nil {
				t.Fatal(err)
			}
			after, err := checkDeclarations(fset, std, strings.Replace(published, test.from, test.to, 1))
			if err != nil {
				t.Fatal(err)
			}
			got := apiDifferences(before, after)
			if (test.want == "") != (len(got) == 0) || len(got) > 0 && !strings.HasPrefix(got[0], test.want+" ") {
				t.Errorf("differences %q, want one that begins with %q", got, test.want)
			}
		})
	}
}
