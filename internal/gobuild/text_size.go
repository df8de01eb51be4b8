package gobuild

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
)

// textSize is the size of a program's machine code in bytes, or -1.
func textSize(file io.ReaderAt) int64 {
	if program, err := elf.NewFile(file); err == nil {
		if section := program.Section(".text"); section != nil {
			return int64(section.Size)
		}
	}
	if program, err := macho.NewFile(file); err == nil {
		if section := program.Section("__text"); section != nil {
			return int64(section.Size)
		}
	}
	if program, err := pe.NewFile(file); err == nil {
		if section := program.Section(".text"); section != nil {
			return int64(section.Size)
		}
	}
	return -1
}
