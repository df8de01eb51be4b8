package config

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"
)

// resolvedSchema returns the schema, ready to validate.
func resolvedSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// instance returns a TOML document as JSON would have it.
func instance(t testing.TB, text []byte) any {
	t.Helper()
	var document map[string]any
	if err := toml.Unmarshal([]byte(strings.TrimPrefix(string(text), string(byteOrderMark))), &document); err != nil {
		t.Fatal(err)
	}
	return likeJSON(document)
}

func likeJSON(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = likeJSON(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = likeJSON(inner)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0.5 // JSON has no such number
		}
	case string, bool, int64:
	default: // dates are strings in JSON
		return fmt.Sprint(v)
	}
	return value
}

func TestSchemaAccepts(t *testing.T) {
	schema := resolvedSchema(t)
	for name, text := range map[string]string{
		"finefile's example": finefileExample, "every key of finefile": everyFinefileKey, "every key of ours": everyOwnKey,
		"starter": string(Starter()), "empty": "",
	} {
		if err := schema.Validate(instance(t, []byte(text))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefuses: what the loader refuses for its key, type or range, editors mark.
func TestSchemaRefuses(t *testing.T) {
	schema := resolvedSchema(t)
	for _, text := range []string{
		"command = 1", "[commands.x]\ncomand = 'x'", "[commands.x]\nruns = 0", "[commands.x]\nruns = 1.5",
		"[commands.x]\nenv = { A = [1] }", "[commands.x]\ncpus = 'a'", "[commands.x]\ncpus = []", "[commands.x]\ntags = 'a'",
		"[commands.x]\nalpha.htp = {}", "[commands.x]\nalpha.http = { urls = [] }", "[commands.x]\nhttp = { requests = 0 }",
		"[commands.x]\nhttp = { requests = 1, expected-status = 1 }", "[commands.x]\nhttp = { requests = 1, rate = 0 }",
		"[commands.x]\nhttp = { requests = 1, headers = { A = 1 } }", "[commands.x]\nhttp = { requests = 1, tls = { a = 1 } }",
		"[commands.x]\nmetrics.m = { regex = 'x' }", "[commands.x]\nmetrics.m = { better = 'best' }",
		"[commands.x]\nignore-failure = 'yes'", "[defaults]\ncommand = {}", "[defaults.commands]\nshel = 'x'",
		"[alpha.compare.c]\na = 'x'", "[alpha.compare.c]\na = 'x'\nb = 'y'\ncertainty = 1",
		"[alpha.compare.c]\na = 'x'\nb = 'y'\nmethod = 'jzs'", "[compare.c]\narms = ['a']", "[compare.c]\nmethod = 'x'",
		"[plots.p]\nfile = 'x.svg'", "[plots.p]\nfile = ''\ntype = 'whisker'", "gate = 1", "[tests.x]",
	} {
		if err := schema.Validate(instance(t, []byte(text))); err == nil {
			t.Errorf("the schema accepts\n%s", text)
		}
		if _, err := load(text); err == nil {
			t.Errorf("the loader accepts\n%s", text)
		}
	}
}

// TestSchemaDescribes: an editor has something to show for every key.
func TestSchemaDescribes(t *testing.T) {
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	described := 0
	var visit func(path string, value any)
	visit = func(path string, value any) {
		object, ok := value.(map[string]any)
		if !ok {
			return
		}
		properties, _ := object["properties"].(map[string]any)
		for name, key := range properties {
			_, isTable := key.(map[string]any)["properties"]
			if key.(map[string]any)["description"] != nil {
				described++
			} else if !isTable { // a table that only leads to others
				t.Errorf("%s.%s has no description", path, name)
			}
		}
		for name, inner := range object {
			visit(path+"."+name, inner)
		}
	}
	visit("", root)
	if described < 80 {
		t.Errorf("only %d keys have a description", described)
	}
}

// TestTags holds every tag against the type of its field, so that a mistake in one
// cannot go unseen.
func TestTags(t *testing.T) {
	seen := make(map[reflect.Type]bool)
	var visit func(typ reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice:
			visit(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			field := typ.Field(i)
			if field.Tag.Get("toml") == "" {
				continue
			}
			for _, name := range []string{"min", "max", "above", "below", "items"} {
				if text, ok := field.Tag.Lookup(name); ok {
					if _, err := strconv.ParseFloat(text, 64); err != nil {
						t.Errorf("%s.%s: %s is %q", typ.Name(), field.Name, name, text)
					}
				}
			}
			if text, ok := field.Tag.Lookup("default"); ok {
				v := reflect.New(field.Type).Elem()
				setDefault(v, text)
				if fmt.Sprint(v) != text {
					t.Errorf("%s.%s: default %q becomes %v", typ.Name(), field.Name, text, v)
				}
			}
			visit(field.Type)
		}
	}
	visit(reflect.TypeFor[Config]())
	if len(seen) < 8 {
		t.Errorf("saw only %d types", len(seen))
	}
}

// TestStarterRuns runs the commands to begin with.
func TestStarterRuns(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	for name, command := range mustLoad(t, string(Starter())).Commands {
		for _, line := range []string{command.Setup, command.Command, command.Cleanup} {
			if out, err := exec.Command(shell, "-c", line).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s: %q: %v\n%s", name, line, err, out)
			}
		}
	}
}

func TestStarter(t *testing.T) {
	text := Starter()
	c, err := load(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Commands) < 2 || len(c.Comparisons) == 0 {
		t.Errorf("it holds %d commands and %d comparisons", len(c.Commands), len(c.Comparisons))
	}
	formatted, err := Format("starter.toml", text)
	if err != nil || string(formatted) != string(text) {
		t.Errorf("it is not formatted (%v):\n%s", err, formatted)
	}
	// What it only suggests, in comments, has to be right as well.
	var suggested []string
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "# ")
		if ok && (strings.HasPrefix(rest, "[") || strings.Contains(rest, " = ")) {
			line = rest
		}
		suggested = append(suggested, line)
	}
	all := strings.Join(suggested, "")
	c, err = load(all)
	if err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	if c.Commands["server"].HTTP == nil || len(c.Plots) != 1 {
		t.Errorf("the suggestions were not read:\n%s", all)
	}
	text[0] = 'x'
	if Starter()[0] != '#' {
		t.Error("a caller can change the starter")
	}
}
