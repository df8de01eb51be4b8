package term

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// screen is a terminal of a given size: it obeys the few sequences that this
// package sends and fails the test at any other.
type screen struct {
	t             *testing.T
	mu            sync.Mutex
	width, height int
	rows          [][]rune // all of them, those that scrolled away too
	row, column   int
	top           int // the first row that can be seen
	hidden        bool
	writes        int
	log           strings.Builder
}

func newScreen(t *testing.T, width, height int) *screen {
	return &screen{t: t, width: width, height: height, rows: make([][]rune, 1)}
}

func (s *screen) size() (int, int) { return s.width, s.height }

// Write obeys a text.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	s.log.Write(text)
	for rest := string(text); rest != ""; {
		switch {
		case strings.HasPrefix(rest, "\x1b["):
			end := strings.IndexFunc(rest[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e }) + 2
			s.obey(rest[2:end], rest[end])
			rest = rest[end+1:]
		default:
			r, n := utf8.DecodeRuneInString(rest)
			s.put(r)
			rest = rest[n:]
		}
	}
	return len(text), nil
}

// put writes one character.
func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.column = 0
		return
	case '\n': // the terminal's driver adds the carriage return
		s.down()
		s.column = 0
		return
	}
	if r < ' ' {
		s.t.Errorf("the terminal receives %q", r)
	}
	cells := Width(string(r))
	if cells == 0 {
		return
	}
	if s.column+cells > s.width {
		s.down()
		s.column = 0
	}
	for range cells {
		for len(s.rows[s.row]) <= s.column {
			s.rows[s.row] = append(s.rows[s.row], ' ')
		}
		s.rows[s.row][s.column] = r
		s.column++
		r = 0 // the second half of a wide character
	}
}

func (s *screen) down() {
	s.row++
	if s.row == len(s.rows) {
		s.rows = append(s.rows, nil)
	}
	s.top = max(s.top, s.row-s.height+1)
}

// obey carries out a control sequence.
func (s *screen) obey(parameters string, final byte) {
	switch {
	case final == 'm':
	case final == 'A':
		n, _ := strconv.Atoi(parameters)
		s.row = max(s.top, s.row-n)
	case final == 'K' && parameters == "":
		s.rows[s.row] = s.rows[s.row][:min(s.column, len(s.rows[s.row]))]
	case final == 'J' && parameters == "":
		s.rows[s.row] = s.rows[s.row][:min(s.column, len(s.rows[s.row]))]
		s.rows = s.rows[:s.row+1]
	case parameters == "?25" && (final == 'l' || final == 'h'):
		s.hidden = final == 'l'
	default:
		s.t.Errorf("the terminal does not know ESC [ %s %c", parameters, final)
	}
}

// text is what can be read, without blanks at the ends of lines.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, row := range s.rows {
		lines = append(lines, strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// expect compares the screen.
func (s *screen) expect(want string) {
	s.t.Helper()
	if got := s.text(); got != want {
		s.t.Errorf("the screen shows\n%s\nwant\n%s", indented(got), indented(want))
	}
}

func indented(text string) string {
	return fmt.Sprintf("  | %s", strings.ReplaceAll(text, "\n", "\n  | "))
}
