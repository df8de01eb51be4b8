package house_test

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
)

// apiDifferences lists what is missing from, or different in, ours. Each line
// begins with the name it is about.
func apiDifferences(published, ours *types.Package) []string {
	var all []string
	for _, name := range published.Scope().Names() {
		want := published.Scope().Lookup(name)
		if !want.Exported() {
			continue
		}
		got := ours.Scope().Lookup(name)
		switch want := want.(type) {
		case *types.Const:
			all = append(all, constDifferences(want, got)...)
		case *types.TypeName:
			all = append(all, typeDifferences(want, got)...)
		default:
			all = append(all, objectDifferences(want, got)...)
		}
	}
	return all
}

// objectDifferences compares functions and variables.
func objectDifferences(want, got types.Object) []string {
	if got == nil {
		return []string{want.Name() + " is missing: " + describe(want.Type())}
	}
	if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) || describe(want.Type()) != describe(got.Type()) {
		return []string{fmt.Sprintf("%s is %s, was %s", want.Name(), describe(got.Type()), describe(want.Type()))}
	}
	return nil
}

// constDifferences compares types, untyped or not, and values: a value is part
// of what a program that prints or multiplies it relies on.
func constDifferences(want *types.Const, object types.Object) []string {
	got, ok := object.(*types.Const)
	if !ok {
		return []string{want.Name() + " is missing: constant " + want.Val().ExactString()}
	}
	if describe(want.Type()) != describe(got.Type()) || !constant.Compare(want.Val(), token.EQL, got.Val()) {
		return []string{fmt.Sprintf("%s is %s %s, was %s %s", want.Name(),
			describe(got.Type()), got.Val(), describe(want.Type()), want.Val())}
	}
	return nil
}

// typeDifferences compares a type, its fields and its methods.
func typeDifferences(want *types.TypeName, object types.Object) []string {
	got, ok := object.(*types.TypeName)
	if !ok {
		return []string{want.Name() + " is missing: type"}
	}
	if got.IsAlias() != want.IsAlias() {
		return []string{want.Name() + " is an alias now: it would print, and be documented, under another name"}
	}
	all := methodDifferences(want, got)
	wantStruct, isStruct := want.Type().Underlying().(*types.Struct)
	gotStruct, still := got.Type().Underlying().(*types.Struct)
	if isStruct && still {
		return append(structDifferences(want.Name(), wantStruct, gotStruct), all...)
	}
	if describe(want.Type().Underlying()) != describe(got.Type().Underlying()) {
		all = append(all, fmt.Sprintf("%s is %s, was %s", want.Name(),
			describe(got.Type().Underlying()), describe(want.Type().Underlying())))
	}
	return all
}

// structDifferences demands the published fields in their order, with any others
// between them. A type that could be compared with == still must be; what was
// empty in the published text had fields that it did not show.
func structDifferences(name string, want, got *types.Struct) []string {
	at := make(map[string]int)
	for i := range got.NumFields() {
		at[got.Field(i).Name()] = i
	}
	var all []string
	last := -1
	for i := range want.NumFields() {
		field := want.Field(i)
		j, ok := at[field.Name()]
		switch {
		case !ok:
			all = append(all, fmt.Sprintf("%s.%s is missing: field %s", name, field.Name(), describe(field.Type())))
			continue
		case describe(field.Type()) != describe(got.Field(j).Type()) || want.Tag(i) != got.Tag(j):
			all = append(all, fmt.Sprintf("%s.%s is %s `%s`, was %s `%s`", name, field.Name(),
				describe(got.Field(j).Type()), got.Tag(j), describe(field.Type()), want.Tag(i)))
		case j < last:
			all = append(all, fmt.Sprintf("%s has field %s in another place", name, field.Name()))
		}
		last = max(last, j)
	}
	if want.NumFields() > 0 && types.Comparable(want) && !types.Comparable(got) {
		all = append(all, name+" cannot be compared with == any more")
	}
	return all
}

// methodDifferences looks methods up the way a caller's expression would, so a
// method that comes from an embedded field counts.
func methodDifferences(want, got *types.TypeName) []string {
	var all []string
	for _, pointer := range []bool{false, true} {
		wanted, has := methods(want.Type(), pointer), methods(got.Type(), pointer)
		for i := range wanted.Len() {
			method := wanted.At(i).Obj()
			if pointer && methods(want.Type(), false).Lookup(method.Pkg(), method.Name()) != nil {
				continue // said already
			}
			name := want.Name() + "." + method.Name()
			found := has.Lookup(method.Pkg(), method.Name())
			if found == nil {
				all = append(all, fmt.Sprintf("%s is missing, or has another receiver: %s", name, describe(method.Type())))
			} else if describe(method.Type()) != describe(found.Type()) {
				all = append(all, fmt.Sprintf("%s is %s, was %s", name, describe(found.Type()), describe(method.Type())))
			}
		}
	}
	return all
}

func methods(t types.Type, pointer bool) *types.MethodSet {
	if pointer {
		t = types.NewPointer(t)
	}
	return types.NewMethodSet(t)
}

// describe writes a type without the names of parameters and receivers, which
// nobody who calls a function depends on.
func describe(t types.Type) string {
	return types.TypeString(nameless(t), nil)
}

// nameless returns the type with all names of parameters taken out, where they
// can occur in this API: in functions, and in slices of and pointers to them.
func nameless(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, namelessTuple(t.Params()), namelessTuple(t.Results()), t.Variadic())
	case *types.Slice:
		return types.NewSlice(nameless(t.Elem()))
	case *types.Pointer:
		return types.NewPointer(nameless(t.Elem()))
	default:
		return t
	}
}

func namelessTuple(tuple *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for i := range tuple.Len() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", nameless(tuple.At(i).Type())))
	}
	return types.NewTuple(vars...)
}
