package host

import "path"

// supply is one entry of /sys/class/power_supply.
type supply struct {
	kind   string // "Mains", "USB", "Battery", "UPS"
	scope  string // "Device" for the battery of a mouse or a headset
	online string // "1" if a mains or USB supply delivers
	status string // "Discharging", "Charging", "Full", "Not charging"
}

// onBattery reads all power supplies and returns "yes", "no" or "".
func (fs FS) onBattery() string {
	var supplies []supply
	for _, dir := range fs.glob("sys/class/power_supply/*") {
		supplies = append(supplies, supply{
			kind:   fs.text(path.Join(dir, "type")),
			scope:  fs.text(path.Join(dir, "scope")),
			online: fs.text(path.Join(dir, "online")),
			status: fs.text(path.Join(dir, "status")),
		})
	}
	return onBattery(supplies)
}

// onBattery decides from the supplies. A supply that delivers outweighs a
// battery that discharges: a weak charger can leave both true, and the firmware
// then treats the machine as plugged in.
func onBattery(supplies []supply) string {
	answer := ""
	for _, s := range supplies {
		switch {
		case s.scope == "Device":
			continue
		case s.kind != "Battery" && s.kind != "UPS" && s.online == "1":
			return "no"
		case s.kind == "Battery" && s.status == "Discharging":
			answer = "yes"
		case s.kind == "Battery" && s.status != "" && s.status != "Unknown" && answer == "":
			answer = "no"
		}
	}
	return answer
}
