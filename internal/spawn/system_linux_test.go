package spawn

const runningOnLinux = true
