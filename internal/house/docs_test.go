package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestDocComments demands a comment for every package and, outside of commands,
// for whatever it exports. It reads the files of all systems, which a linter
// that sees one build does not.
func TestDocComments(t *testing.T) {
	documented := make(map[string]bool) // by folder
	fset := token.NewFileSet()
	for _, name := range repositoryFiles(t) {
		if !isCode(name) {
			continue
		}
		file, err := parser.ParseFile(fset, name, readFile(t, name), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		dir := path.Dir(name)
		documented[dir] = documented[dir] || file.Doc != nil
		if file.Name.Name == "main" {
			continue
		}
		for _, id := range undocumented(file) {
			t.Errorf("%s: exported %s has no doc comment", fset.Position(id.Pos()), id.Name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(documented)) {
		if !documented[dir] {
			t.Errorf("the package in %s has no doc comment", dir)
		}
	}
}

// undocumented returns the exported names of a file that have no comment: on
// themselves, at the end of their line, or on the group that declares them.
func undocumented(file *ast.File) []*ast.Ident {
	var bare []*ast.Ident
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc == nil && receiverIsExported(decl.Recv) && !saysItself(decl) {
				bare = append(bare, decl.Name)
			}
		case *ast.GenDecl:
			bare = append(bare, undocumentedSpecs(decl)...)
		}
	}
	return slices.DeleteFunc(bare, func(id *ast.Ident) bool { return !id.IsExported() })
}

// saysItself knows the methods whose meaning the standard library has fixed.
func saysItself(f *ast.FuncDecl) bool {
	fixed := []string{"Error", "Unwrap", "Is", "Len", "Less", "Swap"}
	return f.Recv != nil && slices.Contains(fixed, f.Name.Name)
}

// undocumentedSpecs looks at the lines of a const, var or type declaration.
func undocumentedSpecs(decl *ast.GenDecl) []*ast.Ident {
	var bare []*ast.Ident
	var above string // the last comment on a line, which may name the next ones too
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			// A comment on a group of types is about none of them.
			if spec.Doc == nil && (decl.Doc == nil || decl.Lparen.IsValid()) {
				bare = append(bare, spec.Name)
			}
		case *ast.ValueSpec:
			if spec.Doc != nil {
				above = spec.Doc.Text()
			}
			if spec.Doc == nil && spec.Comment == nil && decl.Doc == nil && !namesAll(above, spec.Names) {
				bare = append(bare, spec.Names...)
			}
		}
	}
	return bare
}

// namesAll reports whether a comment mentions every one of the names.
func namesAll(comment string, names []*ast.Ident) bool {
	words := strings.FieldsFunc(comment, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return !slices.ContainsFunc(names, func(id *ast.Ident) bool { return !slices.Contains(words, id.Name) })
}

// receiverIsExported is true of functions too.
func receiverIsExported(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	t := recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	id, ok := t.(*ast.Ident)
	return !ok || id.IsExported()
}

// TestUndocumented checks the checker.
func TestUndocumented(t *testing.T) {
	const source = `package p
type Bare struct{}
func (Bare) Method() {}
func (b *List[T]) Next() {}
func (small) Exported() {}
func F() {}
func f() {}
// G does.
func G() {}
// T is.
type T int
// A group.
const ( A = 1; B = 2 )
// A group of types.
type ( U int )
const C = 1
const D = 1 // said at the end
var E, e int
const (
	// H and I are named together.
	H = 1
	I = 2
	J = 3
)
func (t T) Error() string { return "" }
func (t T) String() string { return "" }
func Error() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, id := range undocumented(file) {
		got = append(got, id.Name)
	}
	if want := "[Bare Method Next F U C E J String Error]"; fmt.Sprint(got) != want {
		t.Errorf("undocumented: %v, want %s", got, want)
	}
}
