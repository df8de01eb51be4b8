// Package term is what a user reads on a terminal: messages, colours, lines that
// are redrawn. It knows nothing about measuring.
//
// Rules for everything that is printed:
//
//   - Results go to standard output, all else to standard error.
//   - A failure is one message, "rtcompare: error: ...", followed by "hint: ..."
//     where there is something to do about it. A message is a sentence without a
//     capital letter and without a full stop.
//   - Moving lines and colours are for terminals only. A pipe or a file never
//     receives an escape sequence unless colour was demanded.
//   - Nothing is drawn while something is measured: there is no ticker and no
//     goroutine. Lines move when the one who measures says so.
//   - Text from elsewhere (names, output of commands) cannot steer the terminal:
//     control characters are replaced before they get there.
package term
