package jsonx

import (
	"errors"
	"fmt"
	"testing"
)

// show writes what was read, with ! where it broke off.
func show(v Value) string {
	switch v.Kind() {
	case Broken:
		return "!"
	case Object:
		text := "{"
		for k, m := range v.Members() {
			text += k.Text() + ":" + show(m) + ","
		}
		return text + "}"
	case Array:
		text := "["
		for e := range v.Elements() {
			text += show(e) + ","
		}
		return text + "]"
	}
	return string(v.Raw())
}

func TestABrokenBodyIsReadUntilItBreaks(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":1,"b":x}`:          `{a:1,b:!,} at 1:8`,
		`{"a":1,x}`:              `{a:1,:!,} at 1:6`,
		`{"a":1,`:                `{a:1,:!,} at 1:6`,
		`{"a":1,"b"`:             `{a:1,b:!,} at 1:8`,
		`{"a":{"b":[1,{"c":2}`:   `{a:{b:[1,{c:2,},!,],},} at 1:20`,
		`{"a":{"b":[1,{"c":2},]`: `{a:{b:[1,{c:2,},!,],},} at 1:22`,
		`{"a":[`:                 `{a:[!,],} at 1:6`,
		`{`:                      `{:!,} at 1:1`,
		`{"a":1,"a":2}`:          `{a:1,:!,} at 1:6`,
		`{"a":"x`:                `{a:!,} at 1:6`,
		`{"a":1} x`:              `{a:1,} at 1:7`,
		`{"a":1}{`:               `{a:1,} at 1:7`,
		`x`:                      `absent`,
		`"x`:                     `absent`,
	} {
		_, err := Parse([]byte(body))
		var s *SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%s: %v", body, err)
			continue
		}
		v := s.Read()
		got := "absent"
		if v.Exists() {
			_, col := s.Standing()
			got = fmt.Sprintf("%s at 1:%d", show(v), col)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestReachedTellsWhoCameToTheBreak(t *testing.T) {
	_, err := Parse([]byte(`{"a":{"b":1},"c":{"d":[1,x`))
	var s *SyntaxError
	if !errors.As(err, &s) {
		t.Fatal(err)
	}
	v := s.Read()
	for _, m := range v.Get("a").Members() {
		if m.Kind() != Number || v.Reached() {
			t.Error("the break was reached before it")
		}
	}
	for range v.Get("c").Get("d").Elements() {
	}
	if !v.Reached() {
		t.Error("the break was passed over")
	}
}
