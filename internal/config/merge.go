package config

// merge puts src over dst: tables are merged key by key, all else is replaced.
func merge(dst, src *node) {
	for _, name := range src.keys() {
		from := src.table[name]
		to, ok := dst.table[name]
		if ok && to.table != nil && from.table != nil {
			merge(to, from)
			continue
		}
		from.parent = dst
		dst.table[name] = from
	}
}

// httpKeys are the two ways to write a command's HTTP table.
const (
	httpKey  = "http"
	alphaKey = "alpha"
)

// oneSpelling renames alpha.http to http in every command and in the defaults, so
// that the two names mean the same everywhere. Messages still use the name that was written.
func oneSpelling(root *node, problems *Problems) {
	if defaults := root.find("defaults", "commands"); defaults != nil {
		renameHTTP(defaults, problems)
	}
	commands := root.find("commands")
	if commands == nil {
		return
	}
	for _, name := range commands.keys() {
		renameHTTP(commands.table[name], problems)
	}
}

func renameHTTP(command *node, problems *Problems) {
	alpha := command.find(alphaKey)
	old := alpha.find(httpKey)
	if old == nil {
		return
	}
	if other := command.find(httpKey); other != nil {
		problems.add(old.keyAt, "keep one of them", "%s has both http and alpha.http, which mean the same (the other is at %s)",
			command.path(), other.keyAt)
		return
	}
	delete(alpha.table, httpKey)
	if len(alpha.table) == 0 {
		delete(command.table, alphaKey)
	}
	command.table[httpKey] = old
}

// applyDefaults gives every command the keys of defaults.commands that it does not
// have itself. A key that is a table is taken whole or not at all.
func applyDefaults(root *node) {
	defaults := root.find("defaults", "commands")
	commands := root.find("commands")
	if defaults == nil || commands == nil {
		return
	}
	for _, name := range commands.keys() {
		command := commands.table[name]
		if command.table == nil {
			continue
		}
		for _, key := range defaults.keys() {
			if _, own := command.table[key]; !own {
				command.table[key] = defaults.table[key]
			}
		}
	}
}
