package spawn

import "os"

// fileFlags are how a file for output is opened: emptied, unless it is to be
// continued.
func fileFlags(o Output) int {
	if o.Append {
		return os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	return os.O_WRONLY | os.O_CREATE | os.O_TRUNC
}
