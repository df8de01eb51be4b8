package pooling

// rule is a way to choose the number of processes, and the interval at the end.
type rule struct {
	name  string
	first int
	run   func(s *sample) answer
}

// rules are those that the table compares. All keep to a largest number; where
// more is asked for, they end there with the plain t interval, since then the
// scatter has not chosen the size.
func rules() []rule {
	return []rule{
		{"two stages, the wider interval", 6, twoStages},
		{"two stages, the wider interval", 8, twoStages},
		{"two stages, the wider interval", 10, twoStages},
		{"two stages, Stein's interval", 6, steinOnly},
		{"two stages, Stein's interval", 8, steinOnly},
		{"internal pilot, scatter of all", 6, internalPilot(1)},
		{"internal pilot, scatter of all, 5% wider", 8, internalPilot(1.05)},
		{"internal pilot, scatter of all, 10% wider", 6, internalPilot(1.10)},
		{"looking after every rotation", 6, looking(1)},
		{"looking after every rotation, 8% wider", 6, looking(1.08)},
		{"three stages, again at 0.3, the wider (multiproc)", 6, threeStages(againAt)},
		{"the same with a smaller first stage", 4, threeStages(againAt)},
		{"two stages (multiproc)", 4, twoStages},
		{"three stages, again at 0.4, the wider interval", 6, threeStages(0.4)},
		{"three stages, again at 0.5, the wider interval", 6, threeStages(0.5)},
		{"three stages, again at 0.4, the wider interval", 8, threeStages(0.4)},
		{"Hall, looking to 0.5, scatter of all", 6, hall(0.5, false)},
		{"Hall, looking to 0.5, the wider interval", 6, hall(0.5, true)},
	}
}

// last runs what is asked for. It reports false where that is not allowed and
// the largest number was run.
func (s *sample) last(asked int) bool {
	s.grow(up(min(asked, s.most), s.step))
	return asked <= s.most
}

func twoStages(s *sample) answer {
	if !s.last(s.stein(1)) {
		return s.plain(1)
	}
	return s.wider(s.first)
}

func steinOnly(s *sample) answer {
	if !s.last(s.stein(1)) {
		return s.plain(1)
	}
	return s.staged(s.first)
}

// internalPilot takes the scatter of all processes at the end, as trials with an
// internal pilot do (Wittes and Brittain 1990). Runs that happened to scatter
// little ended early, so the interval is too narrow unless it is widened.
func internalPilot(factor float64) func(*sample) answer {
	return func(s *sample) answer {
		s.last(s.pilot(factor))
		return s.plain(factor)
	}
}

// looking ends as soon as the interval is narrow enough.
func looking(factor float64) func(*sample) answer {
	return func(s *sample) answer {
		for {
			a := s.plain(factor)
			if a.narrow || len(s.logs) >= s.most {
				return a
			}
			s.grow(len(s.logs) + s.step)
		}
	}
}

// threeStages runs a share of what the first stage asks for, asks all of it
// again, and takes the second answer.
func threeStages(share float64) func(*sample) answer {
	return func(s *sample) answer {
		if asked := s.stein(1); asked > s.first {
			s.grow(max(s.first, up(min(s.most, portion(asked, share)), s.step)))
		}
		judged := len(s.logs)
		if !s.last(s.stein(1)) {
			return s.plain(1)
		}
		return s.wider(judged)
	}
}

// hall looks again and again up to a share of what is asked for at the time, and
// runs the rest at once (Hall 1983).
func hall(share float64, wider bool) func(*sample) answer {
	return func(s *sample) answer {
		for len(s.logs) < s.most && float64(len(s.logs)) < share*float64(s.pilot(1)) {
			s.grow(len(s.logs) + s.step)
		}
		judged := len(s.logs)
		if !wider {
			s.last(s.pilot(1))
			return s.plain(1)
		}
		if !s.last(s.stein(1)) {
			return s.plain(1)
		}
		return s.wider(judged)
	}
}
