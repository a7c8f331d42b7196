package mapping

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// TestRecorded replays what Elasticsearch 8.15.0 said to definitions and documents: two
// lines a case, the request and behind = the answer. A case whose answer we refuse by
// name is counted, not compared.
func TestRecorded(t *testing.T) {
	for _, file := range []string{"testdata/definitions.txt", "testdata/documents.txt"} {
		t.Run(file, func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r := replay{t: t}
			lines := bufio.NewScanner(f)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				ask := lines.Text()
				if !lines.Scan() {
					t.Fatalf("no answer to %s", ask)
				}
				r.step(ask, strings.TrimPrefix(lines.Text(), "= "))
			}
			t.Logf("%d equal, %d refused, %d differ", r.equal, r.refused, r.differ)
			if r.equal < 100 {
				t.Errorf("only %d cases were compared", r.equal)
			}
		})
	}
}

type replay struct {
	t                      *testing.T
	m                      *Mapping
	equal, refused, differ int
}

func (r *replay) step(ask, want string) {
	verb, rest, _ := strings.Cut(ask, " ")
	body, settings, _ := strings.Cut(rest, "\t")
	got, err := r.do(verb, body, settings)
	var e *eserr.Error
	if errors.As(err, &e) {
		if e.Status == 501 {
			r.refused++
			return
		}
		got = string(e.AppendJSON(nil))
	}
	if !sameAnswer(got, want) {
		r.differ++
		r.t.Errorf("%s\n got %s\nwant %s", ask, got, want)
		return
	}
	r.equal++
}

// sameAnswer compares bytes, but for the fields of a document, whose order is a map's.
func sameAnswer(got, want string) bool {
	if got == want {
		return true
	}
	a, restA, okA := strings.Cut(got, "\t")
	b, restB, okB := strings.Cut(want, "\t")
	if !okA || !okB || restA != restB {
		return false
	}
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}

func (r *replay) do(verb, body, settings string) (string, error) {
	v, err := jsonx.Parse([]byte(body))
	if err != nil {
		return "", err
	}
	switch verb {
	case "create":
		r.m = nil
		o, err := OptionsOf(flat(settings))
		if err != nil {
			return "", err
		}
		m, err := Parse(v, o)
		if err != nil {
			return "", err
		}
		r.m = m
	case "update":
		m, err := r.m.Merge(v)
		if err != nil {
			return "", err
		}
		r.m = m
	case "doc":
		if r.m == nil {
			return "", eserr.Refused("the mapping was refused")
		}
		var d Document
		for {
			update, err := r.m.ParseDocument(&d, "1", "", v)
			if err != nil {
				return "", err
			}
			if !update.Exists() {
				break
			}
			if r.m, err = r.m.Merge(update); err != nil {
				return "", err
			}
		}
		return rendered(&d) + "\t" + r.printed(), nil
	}
	return r.printed(), nil
}

// printed is the mapping, which must read back as itself.
func (r *replay) printed() string {
	text := r.m.AppendJSON(nil)
	again, err := Parse(jsonx.MustParse(string(text)), r.m.options)
	if err != nil || !bytes.Equal(again.AppendJSON(nil), text) {
		r.t.Errorf("%s does not read back: %v", text, err)
	}
	return string(text)
}

func flat(settings string) func(yield func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		if settings == "" {
			return
		}
		for k, v := range jsonx.MustParse(settings).Members() {
			if !yield(k.Text(), []string{v.Text()}) {
				return
			}
		}
	}
}

// rendered shows a document's columns as docvalue_fields would.
func rendered(d *Document) string {
	fields := map[string][]any{}
	values := slices.Clone(d.Values)
	slices.SortStableFunc(values, func(a, b Value) int {
		switch {
		case a.I != b.I && a.Field.Kind == KindLong:
			return int(max(min(a.I-b.I, 1), -1))
		case a.F != b.F && a.Field.Kind == KindDouble:
			return map[bool]int{true: -1, false: 1}[a.F < b.F]
		}
		return strings.Compare(a.S, b.S)
	})
	for i := range values {
		v := &values[i]
		f := v.Field
		if !f.DocValues {
			continue
		}
		var shown any
		switch f.Kind {
		case KindKeyword:
			shown = v.S
			if slices.Contains(fields[f.Name], shown) {
				continue
			}
		case KindIP:
			a, _ := netip.AddrFromSlice([]byte(v.S))
			shown = a.Unmap().String()
		case KindDouble:
			shown = v.F
		case KindGeoPoint:
			shown = string(jsonx.AppendFloat(nil, v.F)) + ", " + string(jsonx.AppendFloat(nil, math.Float64frombits(uint64(v.I))))
		case KindLong:
			switch f.Type {
			case "boolean":
				shown = v.I != 0
			case "date":
				shown = string(f.Format.AppendFormat(nil, datemath.FromMillis(v.I), time.UTC))
			case "date_nanos":
				shown = string(f.Format.AppendFormat(nil, datemath.FromNanos(v.I), time.UTC))
			default:
				shown = json.Number(strconv.FormatInt(v.I, 10))
			}
		default:
			continue
		}
		fields[f.Name] = append(fields[f.Name], shown)
	}
	if d.Ignored == nil {
		d.Ignored = []string{}
	}
	out, err := json.Marshal(map[string]any{"fields": fields, "ignored": d.Ignored})
	if err != nil {
		return err.Error()
	}
	return string(out)
}
