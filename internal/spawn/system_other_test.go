//go:build unix && !linux

package spawn

const runningOnLinux = false
