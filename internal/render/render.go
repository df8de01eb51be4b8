// Package render writes what was measured in the forms that people and programs
// read: text, tables, JSON, figures, pages. There is a file for each form.
//
// [Summarise] turns the record of a run of commands or servers into a
// [view.Comparison]; every form is a function of that value. The numbers are
// computed here, with internal/stat; the words come from internal/view. The
// package never measures, and reads no clock and no file.
package render

import "github.com/rtcompare/rtcompare/internal/view"

// Options say how a form looks. The zero value is plain text of 80 columns.
type Options struct {
	// Width is the number of columns of a terminal; 0 means 80.
	Width int
	// Colour puts terminal colours into texts.
	Colour bool
	// TimeUnit is the unit of all times; empty chooses one for each.
	TimeUnit view.TimeUnit
	// Sort orders the sides of texts and tables.
	Sort Sort
	// Details shows all numbers of each side instead of a line.
	Details bool
}

// Sort is an order of sides.
type Sort string

// The orders. In automatic order the sides stand as they were given, except in
// the text's table of many sides, which begins with the fastest.
const (
	SortAuto    Sort = ""
	SortCommand Sort = "command"
	SortMean    Sort = "mean-time"
)

func (o Options) width() int {
	if o.Width <= 0 {
		return 80
	}
	return max(20, o.Width)
}
