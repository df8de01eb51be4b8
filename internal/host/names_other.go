//go:build !darwin

package host

import "os"

// systemNames returns the kernel's release and the processor's name, where the
// system tells them without a file. Windows sets the second for every process;
// elsewhere nobody sets it, and it is empty.
func systemNames() (kernel, model string) {
	return "", os.Getenv("PROCESSOR_IDENTIFIER")
}
