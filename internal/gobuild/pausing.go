package gobuild

import (
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// PausingVariable is the name of the environment variable that tells a binary
// with the pausing driver what to serve: the descriptor that orders come from,
// the one that answers go to, and the full name of the benchmark, with spaces
// between them.
const PausingVariable = "RTCOMPARE_PAUSING"

// pausingSource is the file that is added to package testing.
//
//go:embed pausing/pausing.go.txt
var pausingSource []byte

// ErrNoAnchor says that the toolchain's package testing is not one that the
// pausing driver knows. Its benchmarks can be run process by process.
var ErrNoAnchor = errors.New("the toolchain's package testing has changed in a way that is not known here")

// An insertion puts text into a method of testing.B: at the beginning of its
// body, or around the one call of a function.
type insertion struct {
	method string
	begin  string
	around call
}

// call is the call of a function of a package, and what is put around it.
type call struct{ pkg, function, before, after string }

// insertions are all changes of testing/benchmark.go.
var insertions = []insertion{
	{method: "StartTimer", begin: "b.pausingTimer(true);"},
	{method: "StopTimer", begin: "b.pausingTimer(false);"},
	{method: "ResetTimer", begin: "b.pausingReset();"},
	{method: "runN", around: call{"runtime", "GC", "if b.pausingCollects() { ", " }"}},
	{method: "launch", begin: "if b.pausingLaunch() { return };"},
	{method: "loopSlowPath", begin: "if b.timerOn && b.pausingServes() { return b.pausingLoop() };"},
	{method: "RunParallel", begin: "pausingParallel();"},
}

// pausable returns a copy of testing/benchmark.go with the pausing driver's
// calls in it. Lines keep their numbers. Its error wraps [ErrNoAnchor] where one
// of the places was not found exactly once.
func pausable(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "benchmark.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoAnchor, err)
	}
	edits := map[int]string{}
	for _, insertion := range insertions {
		method, err := theMethod(file, insertion.method)
		if err != nil {
			return nil, err
		}
		if insertion.begin != "" {
			edits[files.Position(method.Body.Lbrace).Offset+1] = insertion.begin
			continue
		}
		found, err := theCall(method, insertion.around)
		if err != nil {
			return nil, err
		}
		edits[files.Position(found.Pos()).Offset] = insertion.around.before
		edits[files.Position(found.End()).Offset] = insertion.around.after
	}
	return insert(source, edits), nil
}

func insert(source []byte, edits map[int]string) []byte {
	offsets := make([]int, 0, len(edits))
	for offset := range edits {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	var out []byte
	from := 0
	for _, offset := range offsets {
		out = append(append(out, source[from:offset]...), edits[offset]...)
		from = offset
	}
	return append(out, source[from:]...)
}

// theMethod is the one method of *B of that name, whose receiver has to be b.
func theMethod(file *ast.File, name string) (*ast.FuncDecl, error) {
	var found *ast.FuncDecl
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Body == nil || !isBenchmark(f.Recv) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%w: B has two methods %s", ErrNoAnchor, name)
		}
		found = f
	}
	if found == nil {
		return nil, fmt.Errorf("%w: B has no method %s", ErrNoAnchor, name)
	}
	return found, nil
}

// isBenchmark reports whether a receiver is (b *B).
func isBenchmark(receiver *ast.FieldList) bool {
	if receiver == nil || len(receiver.List) != 1 || len(receiver.List[0].Names) != 1 || receiver.List[0].Names[0].Name != "b" {
		return false
	}
	pointer, ok := receiver.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := pointer.X.(*ast.Ident)
	return ok && name.Name == "B"
}

// theCall is the one statement of a method that calls the function.
func theCall(method *ast.FuncDecl, wanted call) (*ast.ExprStmt, error) {
	var found []*ast.ExprStmt
	ast.Inspect(method.Body, func(node ast.Node) bool {
		statement, ok := node.(*ast.ExprStmt)
		if !ok {
			return true
		}
		if called, ok := statement.X.(*ast.CallExpr); ok && len(called.Args) == 0 {
			if selector, ok := called.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == wanted.function {
				if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == wanted.pkg {
					found = append(found, statement)
				}
			}
		}
		return true
	})
	if len(found) != 1 {
		return nil, fmt.Errorf("%w: %s calls %s.%s %d times", ErrNoAnchor, method.Name.Name, wanted.pkg, wanted.function, len(found))
	}
	return found[0], nil
}
