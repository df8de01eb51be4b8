package benchtext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of configurations. A short line changes one key and makes a copy of all
// others, so that their sum is bounded too.
const (
	maxKeys        = 256
	maxConfigBytes = 8 << 20 // keys and values of all different configurations
)

// settings is the configuration of a stream while it is read. A snapshot is
// made when a result needs one, and only if a line changed something since.
type settings struct {
	now     []Setting
	current *Config // what now was at the last result, nil after a change
}

// set stores a value; an empty one removes the key. It reports false where
// there are too many keys.
func (s *settings) set(key, value []byte) bool {
	at := -1
	for i := range s.now {
		if s.now[i].Key == string(key) {
			at = i
			break
		}
	}
	switch {
	case len(value) == 0 && at < 0:
		return true
	case len(value) == 0:
		// The last setting takes the place, as benchfmt orders them.
		last := len(s.now) - 1
		s.now[at] = s.now[last]
		s.now = s.now[:last]
	case at < 0 && len(s.now) >= maxKeys:
		return false
	case at < 0:
		s.now = append(s.now, Setting{Key: string(key), Value: string(value), FromFile: true})
	case s.now[at].Value == string(value) && s.now[at].FromFile:
		return true
	default:
		s.now[at].Value, s.now[at].FromFile = string(value), true
	}
	s.current = nil
	return true
}

// snapshot returns the configuration now. Equal ones are the same pointer.
func (s *settings) snapshot(p *pool) *Config {
	if s.current != nil {
		return s.current
	}
	var text strings.Builder
	for _, setting := range s.now {
		text.WriteString(setting.Key)
		text.WriteByte(0)
		text.WriteString(setting.Value)
		text.WriteByte('\n')
	}
	config, ok := p.configs[text.String()]
	if !ok {
		config = &Config{Settings: append([]Setting(nil), s.now...)}
		p.configs[text.String()] = config
		p.configBytes += text.Len()
	}
	s.current = config
	return config
}

// configLine takes a "key: value" line apart. A key begins with a lower-case
// letter and has no spaces and no upper-case letters.
func configLine(line []byte) (key, value []byte, ok bool) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || !isKey(line[:colon]) {
		return nil, nil, false
	}
	value = line[colon+1:]
	trimmed := bytes.TrimLeft(value, " \t")
	return line[:colon], trimmed, len(value) == 0 || len(trimmed) < len(value)
}

func isKey(text []byte) bool {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if i == 0 && !unicode.IsLower(r) || unicode.IsSpace(r) || unicode.IsUpper(r) {
			return false
		}
		i += size
	}
	return true
}
