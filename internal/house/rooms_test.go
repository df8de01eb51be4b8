package house_test

import "strings"

// The floors of the house, lowest first. A room may import every room of the
// floors below its own, and on its own floor only those named beside it.
const (
	numbers  = iota // pure: numbers, time, orders
	workings        // measuring, judging, the machine, text formats
	answers         // what the command line puts together
	front           // the command line
)

// A room is a package below internal/.
type room struct {
	floor  int
	beside []string // rooms of the same floor that it may import
	only   []string // when not nil, the whole of what it may import
	never  []string // rooms of a lower floor that it must not reach, directly or not
}

// nothing is for rooms that must stay free of all others.
var nothing = []string{}

// rooms is the map of the house; CONTRIBUTING.md explains it. A name ending in
// "/*" stands for every package below it that has no line of its own.
var rooms = map[string]room{
	"house":           {floor: numbers, only: nothing},
	"house/published": {floor: numbers, only: nothing},

	"stat":  {floor: numbers, only: nothing},
	"order": {floor: numbers},
	"clock": {floor: numbers},

	// The data model is read by everyone, so it depends on no one.
	"record":    {floor: workings, only: nothing},
	"judge":     {floor: workings, beside: []string{"record"}},
	"host":      {floor: workings},
	"proc":      {floor: workings, beside: []string{"host"}},
	"spawn":     {floor: workings, only: nothing},
	"load":      {floor: workings, only: []string{"clock"}},
	"perfctr":   {floor: workings, only: nothing},
	"benchtext": {floor: workings},
	"profile":   {floor: workings},
	// The one measuring loop knows no arm, no words and no file format but the record.
	"engine": {floor: workings, beside: []string{"judge", "record", "host", "proc"}},

	// The Bayes factor pulls in gonum: this high up, only the command line reaches it.
	"stat/bayes": {floor: answers, only: []string{"stat"}},
	// Words are made from what was measured, never by measuring.
	"view":       {floor: answers, only: []string{"record", "judge"}},
	"render":     {floor: answers, beside: []string{"view", "table"}, never: []string{"engine"}},
	"term":       {floor: answers},
	"extract":    {floor: answers, only: nothing},
	"parameters": {floor: answers, only: nothing},
	"steady":     {floor: answers, only: []string{"stat"}},
	// A whole comparison: measure, keep, look, judge. The commands differ only in what they put in.
	"comparison":  {floor: answers, beside: []string{"stat/bayes"}},
	"table":       {floor: answers},
	"config":      {floor: answers},
	"gate":        {floor: answers, beside: []string{"view", "table", "config"}},
	"history":     {floor: answers},
	"shard":       {floor: answers, beside: []string{"config"}},
	"source":      {floor: answers},
	"gobuild":     {floor: answers, beside: []string{"source"}},
	"arm/*":       {floor: answers},
	"arm/gobench": {floor: answers, beside: []string{"gobuild", "source"}},

	// Two versions of Go code: rooms put together, no loop and no judge of its own.
	"bench": {floor: answers, beside: []string{"source", "gobuild", "arm/gobench"}},

	"cli": {floor: front},
	// Two programs for a first comparison; texts and the go command.
	"demo": {floor: answers, only: nothing},
}

// libraryRooms is what the packages that users import may reach, directly or
// not. All of it may use golang.org/x/sys and no other module, so that a user's
// go.sum stays free of what only the command needs.
var libraryRooms = []string{
	"engine", "judge", "record", "view", "arm/fn", "host", "proc", "order", "stat", "clock",
}

// libraryPackages are the packages that users import, by their path below the
// module, with those of them that each may import.
var libraryPackages = map[string][]string{
	"":          {},
	"multiproc": {""},
	"workload":  {"", "multiproc"},
	"latency":   {}, // standard library only: see libraryRoomsOf
}

// libraryRoomsOf returns the rooms that a library package may import.
func libraryRoomsOf(pkg string) []string {
	if pkg == "latency" {
		return nothing // it is imported by other people's benchmarks, at any version
	}
	return libraryRooms
}

// roomOf returns the room's line in the map.
func roomOf(name string) (room, bool) {
	if r, ok := rooms[name]; ok {
		return r, true
	}
	parent, _, _ := strings.Cut(name, "/")
	r, ok := rooms[parent+"/*"]
	return r, ok
}
