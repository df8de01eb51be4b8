// Package stopping compares the rules by which a comparison of commands or
// servers may end after any round: finefile's, named jzs, and the library's,
// named anytime, with units of several lengths.
//
// The rounds are simulated, so the truth is known. A round visits a b b' a',
// which is four runs under either rule; time is therefore counted in rounds.
// Every rule sees the same rounds, so that their rates differ by more than
// chance sooner than those of independent simulations would.
package stopping
