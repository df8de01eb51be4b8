package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// switchOnEscapes makes a console obey escape sequences, and reports whether it
// does. Consoles before Windows 10 do not.
func switchOnEscapes(file *os.File) bool {
	console := windows.Handle(file.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return false
	}
	if mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 {
		return true
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
