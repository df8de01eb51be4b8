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
// body, or around the one statement there that fits.
type insertion struct {
	method string
	begin  string
	// statement finds a statement, before and after are put around it.
	statement     func(ast.Stmt) bool
	before, after string
}

// insertions are all changes of testing/benchmark.go.
var insertions = []insertion{
	{method: "StartTimer", statement: assigns("start"), before: "b.pausingStart(); "},
	{method: "StopTimer", statement: assigns("duration"), after: "; b.pausingStop()"},
	{method: "ResetTimer", begin: "b.pausingReset();"},
	{method: "ResetTimer", statement: assigns("start"), before: "b.pausingStart(); "},
	{method: "runN", statement: calls("runtime", "GC"), before: "if b.pausingCollects() { ", after: " }"},
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
		found, err := theStatement(method, insertion.statement)
		if err != nil {
			return nil, err
		}
		edits[files.Position(found.Pos()).Offset] = insertion.before
		edits[files.Position(found.End()).Offset] = insertion.after
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

// theStatement is the one statement of a method that fits.
func theStatement(method *ast.FuncDecl, fits func(ast.Stmt) bool) (ast.Stmt, error) {
	var found []ast.Stmt
	ast.Inspect(method.Body, func(node ast.Node) bool {
		if statement, ok := node.(ast.Stmt); ok && fits(statement) {
			found = append(found, statement)
		}
		return true
	})
	if len(found) != 1 {
		return nil, fmt.Errorf("%w: %d statements of %s fit where there should be one", ErrNoAnchor, len(found), method.Name.Name)
	}
	return found[0], nil
}

// assigns finds an assignment to a field of b.
func assigns(field string) func(ast.Stmt) bool {
	return func(statement ast.Stmt) bool {
		assignment, ok := statement.(*ast.AssignStmt)
		return ok && len(assignment.Lhs) == 1 && isSelector(assignment.Lhs[0], "b", field)
	}
}

// calls finds the call of a function of a package, without arguments.
func calls(pkg, function string) func(ast.Stmt) bool {
	return func(statement ast.Stmt) bool {
		expression, ok := statement.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := expression.X.(*ast.CallExpr)
		return ok && len(call.Args) == 0 && isSelector(call.Fun, pkg, function)
	}
}

func isSelector(expression ast.Expr, of, name string) bool {
	selector, ok := expression.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	identifier, ok := selector.X.(*ast.Ident)
	return ok && identifier.Name == of
}
