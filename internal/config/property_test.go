package config

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// wrongValues are put into the place of every value. Where one is right, so much the
// better.
var wrongValues = []any{
	int64(0), int64(1), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), int64(404), 0.5, 1.5, -0.1, 1e300,
	math.Inf(1), math.NaN(), "", "x", "none", "0-3", "http://h", "a=b\n", "p.svg", true, false,
	[]any{}, []any{int64(1)}, []any{int64(200), "x"}, []any{"a", "b"}, []any{[]any{}}, []any{map[string]any{"a": int64(1)}},
	map[string]any{}, map[string]any{"a": int64(1)}, map[string]any{"a": []any{"b"}}, time.Unix(0, 0).UTC(),
}

// TestEveryValueReplaced puts wrong values into every place of complete documents, one
// at a time. What the loader accepts the schema must accept, and a refusal names a
// place in the file.
func TestEveryValueReplaced(t *testing.T) {
	schema := resolvedSchema(t)
	accepted, refused := 0, 0
	for _, text := range []string{everyFinefileKey, everyOwnKey} {
		var document map[string]any
		if err := toml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		everyPlace(document, func(replace func(any)) {
			for _, value := range wrongValues {
				replace(value)
				changed, err := toml.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				if _, err = load(string(changed)); err == nil {
					accepted++
					if err := schema.Validate(instance(t, changed)); err != nil {
						t.Fatalf("accepted with %#v, but not valid by the schema: %v\n%s", value, err, changed)
					}
					continue
				}
				refused++
				var problems Problems
				if !errors.As(err, &problems) || problems[0].At.Line < 1 {
					t.Fatalf("%#v: %v", value, err)
				}
			}
		})
	}
	if accepted < 100 || refused < 1000 {
		t.Errorf("%d accepted, %d refused: the test does not see much", accepted, refused)
	}
}

// everyPlace calls visit for every value below a table with a function that replaces it,
// and restores it afterwards.
func everyPlace(table map[string]any, visit func(replace func(any))) {
	for name, old := range table {
		visit(func(value any) { table[name] = value })
		table[name] = old
		if inner, ok := old.(map[string]any); ok {
			everyPlace(inner, visit)
		}
	}
}

// TestUnknownKeyEverywhere puts an unknown key into every table whose keys are known.
func TestUnknownKeyEverywhere(t *testing.T) {
	schema := resolvedSchema(t)
	free := map[string]bool{ // tables of names that the user chooses
		"commands": true, "plots": true, "compare": true, "alpha.compare": true, "gate": true,
		"commands.full.env": true, "defaults.commands.env": true, "commands.two.http.headers": true, "commands.one.metrics": true,
	}
	tables := 0
	for _, text := range []string{everyFinefileKey, everyOwnKey} {
		root, problems := parse("x.toml", []byte(text))
		if problems != nil {
			t.Fatal(problems)
		}
		var visit func(n *node)
		visit = func(n *node) {
			path := n.path()
			if n.table == nil || strings.HasPrefix(path, "gate.") {
				return
			}
			if !free[path] {
				tables++
				document := root.plain().(map[string]any)
				inner := document
				for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
					inner = inner[name].(map[string]any)
				}
				inner["zzzzzz"] = int64(1)
				changed, err := toml.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := load(string(changed)); err == nil || !strings.Contains(err.Error(), `unknown key "zzzzzz"`) {
					t.Errorf("%s: %v", path, err)
				}
				if schema.Validate(instance(t, changed)) == nil {
					t.Errorf("%s: the schema accepts it", path)
				}
			}
			for _, c := range n.table {
				visit(c)
			}
		}
		visit(root)
	}
	if tables < 15 {
		t.Errorf("only %d tables", tables)
	}
}

// TestFormatRandom formats random documents of all that TOML has. Fixed seed.
func TestFormatRandom(t *testing.T) {
	valid := 0
	for seed := range uint64(4000) {
		w := randomText{rand.New(rand.NewPCG(seed, 1))}
		text := w.document()
		if _, problems := parse("x.toml", []byte(text)); problems == nil {
			valid++
		}
		formatsSoundly(t, []byte(text))
	}
	if valid < 3000 {
		t.Errorf("only %d documents were valid", valid)
	}
}

// randomText writes TOML with odd spacing.
type randomText struct{ *rand.Rand }

func (r randomText) pick(choices ...string) string { return choices[r.IntN(len(choices))] }
func (r randomText) gap() string                   { return r.pick("", "", " ", "  ", "\t") }
func (r randomText) comment() string               { return r.pick("# c", "#c  ", "# é 'x\" [a] = 1", "#") }
func (r randomText) end() string {
	return r.gap() + r.pick("", "", r.comment()) + r.pick("\n", "\n", "\r\n")
}
func (r randomText) breaks() string {
	return r.pick("", "", r.gap(), "\n"+r.gap(), r.gap()+r.comment()+"\n", "\n\n \n", "\r\n")
}

func (r randomText) key(n int) string {
	name := fmt.Sprintf("k%d", n)
	return r.pick(name, name, `"`+name+` é"`, "'"+name+"#'", name+r.gap()+"."+r.gap()+"b", `"`+name+`"`+r.gap()+"."+r.gap()+"'c d'")
}

func (r randomText) document() string {
	var b strings.Builder
	for n := range r.IntN(12) {
		switch r.IntN(6) {
		case 0:
			b.WriteString(r.gap() + "[" + r.gap() + r.key(100+n) + r.gap() + "]" + r.end())
		case 1:
			b.WriteString(r.gap() + "[[" + r.gap() + r.key(200+n) + r.gap() + "]]" + r.end())
		case 2:
			b.WriteString(r.gap() + r.comment() + "\n")
		case 3:
			b.WriteString(r.gap() + "\n")
		default:
			b.WriteString(r.gap() + r.key(n) + r.gap() + "=" + r.gap() + r.value(3) + r.end())
		}
	}
	return b.String()
}

func (r randomText) value(depth int) string {
	if depth == 0 || r.IntN(2) == 0 {
		return r.pick("1", "-1_000", "0xff", "1.5e-3", "inf", "true", `"s # \" \\"`, `'\'`, `""`, "''", "1979-05-27", "1979-05-27 07:32:00Z",
			"07:32:00.5", "1979-05-27T07:32:00", "\"\"\"\n  a  =  1\n# \\\"\"\"\"\n\"\"\"", "'''x\r\n [y]'''", `"""a"""""`, "''''x'''''", `""""""`)
	}
	open, closing, item := "[", "]", func(int) string { return r.value(depth - 1) }
	if r.IntN(2) == 0 {
		open, closing, item = "{", "}", func(n int) string {
			return r.key(n) + r.gap() + "=" + r.gap() + r.value(depth-1)
		}
	}
	text := open + r.breaks()
	count := r.IntN(4)
	for n := range count {
		text += item(n) + r.breaks()
		if n < count-1 || r.IntN(3) == 0 {
			text += "," + r.breaks()
		}
	}
	return text + closing
}

// TestLargeFiles: odd large files are read or refused in reasonable time.
// The bound is far above what it takes, and far below what quadratic work would.
func TestLargeFiles(t *testing.T) {
	for name, part := range map[string]string{
		"one line": "1,", "comments": "#\n", "blank lines": "\n", "unknown keys": "", "deep": "[",
	} {
		text := strings.Repeat(part, largestFile/4/max(1, len(part)))
		switch name {
		case "one line":
			text = "gate.a = [" + text + "]"
		case "unknown keys":
			var b strings.Builder
			for n := range 5000 {
				fmt.Fprintf(&b, "k%d=1\n", n)
			}
			text = b.String()
		case "deep":
			text = "gate.a = " + text
		}
		start := time.Now()
		_, err := load(text)
		_, formatErr := Format("x.toml", []byte(text))
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v (%v, %v)", name, took, err != nil, formatErr)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
	_, err := load(strings.Repeat("#", largestFile+1))
	if err == nil || !strings.Contains(err.Error(), "is this the right file?") {
		t.Errorf("too large: %v", err)
	}
}
