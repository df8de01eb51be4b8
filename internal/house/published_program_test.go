package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"
)

// TestPublishedProgram checks that the program in published/ uses every name,
// field and method of the published API. The program is type-checked with
// the published text in the place of the package, so that this test is about the
// program alone; that it compiles with the package, the compiler has seen.
func TestPublishedProgram(t *testing.T) {
	fset := token.NewFileSet()
	std := exportDataImporter(t, fset, "context", "testing", "time")
	published, err := checkDeclarations(fset, std, readFile(t, publishedAPI))
	if err != nil {
		t.Fatal(err)
	}
	used := usedObjects(t, fset, withPublished{std, published})
	for name, object := range exportedObjects(published) {
		if !used[object] {
			t.Errorf("the program does not use %s", name)
		}
	}
}

// withPublished imports the published text as the root package.
type withPublished struct {
	std       types.Importer
	published *types.Package
}

// Import implements types.Importer.
func (w withPublished) Import(path string) (*types.Package, error) {
	if path == modulePath {
		return w.published, nil
	}
	return w.std.Import(path)
}

// usedObjects type-checks the program and returns what it mentions.
func usedObjects(t *testing.T, fset *token.FileSet, imp types.Importer) map[types.Object]bool {
	t.Helper()
	names, err := filepath.Glob("published/*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no program found: %v", err)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: imp}
	if _, err := config.Check("program", fset, files, &info); err != nil {
		t.Fatalf("the program does not compile with the published API: %v", err)
	}
	used := make(map[types.Object]bool)
	for _, object := range info.Uses {
		used[object] = true
	}
	return used
}

// exportedObjects returns all that a package exports, by "Name", "Type.Field" or
// "Type.Method".
func exportedObjects(p *types.Package) map[string]types.Object {
	all := make(map[string]types.Object)
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		all[name] = object
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !isType || !ok {
			continue
		}
		for method := range named.Methods() {
			all[name+"."+method.Name()] = method
		}
		if fields, ok := named.Underlying().(*types.Struct); ok {
			for field := range fields.Fields() {
				all[name+"."+field.Name()] = field
			}
		}
	}
	return all
}
