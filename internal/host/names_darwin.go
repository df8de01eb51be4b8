package host

import "syscall"

// systemNames returns the kernel's release and the processor's name, where the
// system tells them without a file.
func systemNames() (kernel, model string) {
	kernel, err := syscall.Sysctl("kern.osrelease")
	if err != nil {
		kernel = ""
	}
	model, err = syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		model = ""
	}
	return kernel, model
}
