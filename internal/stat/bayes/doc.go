// Package bayes decides between two hypotheses about a paired comparison: that
// the two sides perform the same, or that they differ.
//
// It is the rule of the comparisons in a finefile.toml, kept number for number
// so that such files mean the same as before. The differences of the rounds are
// averaged into batches that grow with the square root of the number of rounds;
// the batches are weighed by the Bayes factor of Jeffreys, Zellner and Siow
// (JZS), as Rouder, Speckman, Sun, Morey and Iverson (2009) describe it; and the
// comparison ends when the probability of a difference that matters is close
// enough to one or to zero.
//
// What the rule assumes: batches that are independent of each other and roughly
// normal. Looking after every round is covered by an argument that holds for
// independent rounds without batching. Batches are cut anew after every round,
// and that costs: on independent rounds, without a margin, between two and three
// comparisons in a hundred find a difference that is not there within 200
// rounds, between three and four within 1000 (rtcompare-lab stopping). Noise
// slower than a batch is not covered at all.
//
// The package is pure. Nothing here reads a clock; a limit on time is the
// caller's.
package bayes
