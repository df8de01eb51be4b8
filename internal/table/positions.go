package table

import "github.com/rtcompare/rtcompare/internal/benchtext"

// positions holds where results stood, in little room: there may be millions.
type positions struct {
	files []string
	list  []place
}

// place is a position by the number of its file.
type place struct{ file, line int32 }

// add keeps a position and returns its number.
func (p *positions) add(at benchtext.Position) int32 {
	if len(p.files) == 0 || p.files[len(p.files)-1] != at.File {
		p.files = append(p.files, at.File)
	}
	p.list = append(p.list, place{int32(len(p.files) - 1), int32(at.Line)})
	return int32(len(p.list) - 1)
}

// file is the input of a result.
func (p *positions) file(result int32) string { return p.files[p.list[result].file] }

// at is the position of a result.
func (p *positions) at(result int32) benchtext.Position {
	return benchtext.Position{File: p.file(result), Line: int(p.list[result].line)}
}
