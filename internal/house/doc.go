// Package house holds no code, only tests about the repository itself: who may
// import whom, whether the published API is still there, and whether what is
// written (comments, links, the Go programs in the documents) holds.
//
// They are tests rather than a linter so that "go test ./..." says on every
// machine what continuous integration will say. When one of them fails it names
// the rule and where the rule is written; when the rule is wrong, change it in
// the table and in CONTRIBUTING.md in the same commit.
package house
