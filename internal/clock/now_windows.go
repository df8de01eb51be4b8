package clock

import (
	"syscall"
	"time"
	"unsafe"
)

// The Go runtime reads the interrupt time on Windows, which advances only with
// the timer interrupt. The performance counter usually advances every 100 ns.
var (
	kernel32       = syscall.NewLazyDLL("kernel32.dll")
	counterAddress = address("QueryPerformanceCounter")
	awakeAddress   = address("QueryUnbiasedInterruptTime")

	counterFrequency = query(address("QueryPerformanceFrequency"))
	counterBase      = query(counterAddress)
	base             = time.Now()
)

// address looks a function up once, so that a read does not have to. It returns
// 0 if there is no such function.
func address(name string) uintptr {
	proc := kernel32.NewProc(name)
	if proc.Find() != nil {
		return 0
	}
	return proc.Addr()
}

// query calls a function that stores one 64-bit number, and returns that number
// or 0.
func query(address uintptr) int64 {
	var value int64
	if address != 0 {
		_, _, _ = syscall.SyscallN(address, uintptr(unsafe.Pointer(&value)))
	}
	return value
}

func now() time.Duration {
	if counterFrequency <= 0 {
		return time.Since(base)
	}
	return ticksToDuration(query(counterAddress)-counterBase, counterFrequency)
}

// awake is the clock that stands still while the machine is suspended. The
// performance counter goes on, so that the unbiased interrupt time is read
// here; it counts steps of 100 ns.
func awake() time.Duration {
	if awakeAddress == 0 {
		return time.Since(base)
	}
	return time.Duration(query(awakeAddress)) * 100
}
