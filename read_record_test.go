package rtcompare

import (
	"bytes"
	"strings"
	"testing"
)

func reread(t *testing.T, r Report) Report {
	t.Helper()
	var text bytes.Buffer
	if err := r.WriteRecord(&text); err != nil {
		t.Fatal(err)
	}
	found, err := ReadRecord(&text)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestReadRecordErrors(t *testing.T) {
	head := `{"head":{"schema":"rtcompare/1","arms":[{"name":"a"},{"name":"b"}]}}`
	for _, tt := range []struct{ text, want string }{
		{"", "not a record"},
		{head, "its run was not finished"},
		{head + "\n" + `{"judgement":{"arm":2}}`, "judges arm 2 of 2"},
		{head + "\n{\n{}", "record line 2"},
		{`{"head":{"schema":"rtcompare/9"}}`, `schema "rtcompare/9"`},
		{`{"head":{"schema":"rtcompare/1","plan":{"n":"x"},"arms":[{},{}]}}` + "\n" + `{"judgement":{"arm":1}}`, "plan"},
	} {
		if _, err := ReadRecord(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v does not say %q", err, tt.want)
		}
	}
	// A record without measurements is poor, but no reason to fail.
	r, err := ReadRecord(strings.NewReader(head + "\n" + `{"judgement":{"arm":1,"verdict":"slower","log_ratio":0.1}}`))
	if err != nil || r.Decision.Verdict != AFaster || r.NameB != "b" {
		t.Errorf("%+v, %v", r.Decision, err)
	}
}
