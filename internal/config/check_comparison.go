package config

const (
	sequentialErrorRate = 0.01 // where every look may end the comparison
	fixedErrorRate      = 0.05
	jzsMaxRounds        = 200
	leastMinRounds      = 16
)

// comparison checks a comparison and fills in what depends on its method.
func (c *checker) comparison(n *node, comparison *Comparison) {
	if n.table == nil {
		return
	}
	c.arms(n, comparison)
	if comparison.ErrorRate == 0 {
		comparison.ErrorRate = sequentialErrorRate
		if comparison.Method == Fixed {
			comparison.ErrorRate = fixedErrorRate
		}
	}
	switch comparison.Method {
	case Fixed:
		if n.find("runs") == nil {
			c.problems.add(n.keyAt, `add "runs"`, "%s does not say how many runs to make", n.path())
		}
		if rounds := n.find("max-rounds"); rounds != nil {
			c.at(rounds, `write "runs"`, "%s has no effect with the method fixed", rounds.path())
		}
	case JZS:
		if len(comparison.Arms) > 2 {
			c.at(n.find("arms"), "use the method anytime", "%s has %s, and the method jzs compares two",
				n.find("arms").path(), plural(len(comparison.Arms), "arm"))
		}
		if comparison.MaxRounds == 0 {
			comparison.MaxRounds = jzsMaxRounds
		}
		if comparison.MaxRounds < leastMinRounds {
			c.at(n.find("max-rounds"), "allow more rounds", "%s is %d, and the method jzs decides after %d at the earliest",
				n.find("max-rounds").path(), comparison.MaxRounds, leastMinRounds)
		}
	}
	if runs := n.find("runs"); runs != nil && comparison.Method != Fixed {
		c.at(runs, `add method = "fixed", or limit max-rounds`, "%s has no effect with the method %s",
			runs.path(), comparison.Method)
	}
	if metric := n.find("metric"); metric != nil && metric.value == "" {
		c.at(metric, "", "%s is empty", metric.path())
	}
}

// arms checks the sides of a comparison and puts a and b into Arms.
func (c *checker) arms(n *node, comparison *Comparison) {
	a, b, arms := n.find("a"), n.find("b"), n.find("arms")
	switch {
	case arms != nil && (a != nil || b != nil):
		other := a
		if a == nil {
			other = b
		}
		c.problems.add(arms.keyAt, "keep a and b, or arms", "%s has both arms and %s (the other is at %s)",
			n.path(), other.name, other.keyAt)
	case arms == nil && (a == nil || b == nil):
		c.problems.add(n.keyAt, `name two commands by "a" and "b", or more by "arms"`, "%s does not say what to compare", n.path())
	}
	for i, name := range comparison.Arms {
		c.runnable(arms.items[i], name)
	}
	for _, side := range []struct {
		at   *node
		name string
	}{{a, comparison.A}, {b, comparison.B}} {
		if side.at != nil {
			c.runnable(side.at, side.name)
			comparison.Arms = append(comparison.Arms, side.name)
		}
	}
}

// runnable notes a side of a comparison that does not exist or has only steps.
func (c *checker) runnable(n *node, name string) {
	if !c.exists(n, name) {
		return
	}
	if command := c.config.Commands[name]; command.Command == "" && command.HTTP == nil {
		c.at(n, "", "%s names the command %q, which has nothing to measure", n.path(), name)
	}
}

// alphaComparison checks a comparison in finefile's form.
func (c *checker) alphaComparison(n *node, comparison *AlphaComparison) {
	if n.table == nil {
		return
	}
	for side, name := range map[string]string{"a": comparison.A, "b": comparison.B} {
		if at := n.find(side); at != nil {
			c.server(at, name)
		}
	}
	if comparison.BatchRounds == 0 || n.find("min-rounds") != nil && comparison.MinRounds == 0 || comparison.MaxRounds == 0 {
		return // a wrong value, said already: do not judge what was not written
	}
	least := 2 * comparison.BatchRounds
	origin := "set"
	if n.find("min-rounds") == nil {
		comparison.MinRounds = max(leastMinRounds, 4*comparison.BatchRounds)
		origin = "by default"
	} else if comparison.MinRounds < least {
		c.at(n.find("min-rounds"), "at least two batches are needed", "%s is %d, less than 2 × batch-rounds, which is %d",
			n.find("min-rounds").path(), comparison.MinRounds, least)
	}
	rounds := n.find("max-rounds")
	if rounds == nil {
		rounds = n
	}
	switch {
	case comparison.MaxRounds < least:
		c.at(rounds, "at least two batches are needed", "max-rounds of %s is %d, less than 2 × batch-rounds, which is %d",
			n.path(), comparison.MaxRounds, least)
	case comparison.MaxRounds < comparison.MinRounds:
		c.at(rounds, "lower min-rounds, or allow more rounds", "max-rounds of %s is %d, less than min-rounds, which is %d (%s)",
			n.path(), comparison.MaxRounds, comparison.MinRounds, origin)
	}
}

// server notes a side that is no HTTP command.
func (c *checker) server(n *node, name string) {
	if !c.exists(n, name) {
		return
	}
	if c.config.Commands[name].HTTP == nil {
		c.at(n, "compare other commands in [compare]", "%s names the command %q, which has no http table", n.path(), name)
	}
}
