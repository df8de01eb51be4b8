package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files and the descriptions of keys anew")

// TestDescriptions holds the descriptions in the schema equal to the comments on the
// types; -update writes them.
func TestDescriptions(t *testing.T) {
	comments := commentsOfTypes(t)
	want := make(map[string]string)
	seen := make(map[reflect.Type]bool)
	var collect func(typ reflect.Type)
	collect = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice:
			collect(typ.Elem())
		case reflect.Struct:
			if _, isForm := reflect.New(typ).Interface().(form); isForm || seen[typ] {
				return
			}
			seen[typ] = true
			for i := range typ.NumField() {
				if field := typ.Field(i); field.Tag.Get("toml") != "" {
					name := typ.Name() + "." + field.Name
					if want[name] = comments[name]; want[name] == "" {
						t.Errorf("%s has no comment", name)
					}
					collect(field.Type)
				}
			}
		}
	}
	collect(reflect.TypeFor[Config]())
	text, err := json.MarshalIndent(want, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile("descriptions.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text, descriptionsJSON) {
		t.Error("descriptions.json is not what the comments say: run go test ./internal/config -run Descriptions -update")
	}
}

// commentsOfTypes reads the comments on the fields of this package's types.
func commentsOfTypes(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	comments := make(map[string]string)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			types, ok := decl.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				typ := spec.(*ast.TypeSpec)
				if fields, ok := typ.Type.(*ast.StructType); ok {
					for _, field := range fields.Fields.List {
						for _, fieldName := range field.Names {
							comments[typ.Name.Name+"."+fieldName.Name] = oneLine(field.Doc)
						}
					}
				}
			}
		}
	}
	return comments
}

func oneLine(comment *ast.CommentGroup) string {
	return strings.Join(strings.Fields(comment.Text()), " ")
}
