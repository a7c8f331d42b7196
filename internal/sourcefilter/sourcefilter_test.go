package sourcefilter

import (
	"testing"

	"postern/internal/jsonx"
)

const source = `{"a":{"b":1,"c":{"d":2,"e":[1,2]}},"x":[{"y":1,"z":2},{"z":3},{"w":[{"y":7}]}],"n":null,"k.l":5,"o":{},"big":9007199254740993,"f":1.50,"q":{"r":{"s":[]}} , "emp":[]}`

// The right sides were given by Elasticsearch 8.15.0 (GET _source); where it answers
// from a hash map, in another order of members.
func TestFilter(t *testing.T) {
	const rest = `"n":null,"k.l":5,"o":{},"big":9007199254740993,"f":1.5,"q":{"r":{"s":[]}},"emp":[]}`
	const a, x = `{"a":{"b":1,"c":{"d":2,"e":[1,2]}},`, `"x":[{"y":1,"z":2},{"z":3},{"w":[{"y":7}]}],`
	for _, c := range []struct {
		includes, excludes []string
		want               string
	}{
		{nil, nil, source},
		{[]string{"a"}, nil, `{"a":{"b":1,"c":{"d":2,"e":[1,2]}}}`},
		{[]string{"a.b"}, nil, `{"a":{"b":1}}`},
		{[]string{"a.*"}, nil, `{"a":{"b":1,"c":{"d":2,"e":[1,2]}}}`},
		{[]string{"*.b"}, nil, `{"a":{"b":1}}`},
		{[]string{"x.y"}, nil, `{"x":[{"y":1}]}`},
		{[]string{"x"}, []string{"x.y"}, `{"x":[{"z":2},{"z":3},{"w":[{"y":7}]}]}`},
		{nil, []string{"a.b"}, `{"a":{"c":{"d":2,"e":[1,2]}},` + x + rest},
		{nil, []string{"a.*"}, `{"a":{},` + x + rest},
		{nil, []string{"*"}, `{}`},
		{[]string{"n"}, nil, `{"n":null}`},
		{[]string{"k.l"}, nil, `{"k.l":5}`},
		{[]string{"k*"}, nil, `{"k.l":5}`},
		{[]string{"k"}, nil, `{"k.l":5}`},
		{[]string{"o"}, nil, `{"o":{}}`},
		{[]string{"o.p"}, nil, `{}`},
		{[]string{"big", "f"}, nil, `{"big":9007199254740993,"f":1.5}`},
		{[]string{"q.r"}, nil, `{"q":{"r":{"s":[]}}}`},
		{[]string{"q.r.s"}, nil, `{"q":{"r":{"s":[]}}}`},
		{[]string{"*"}, []string{"*.b", "n"}, `{"a":{"c":{"d":2,"e":[1,2]}},` + x + rest[len(`"n":null,`):]},
		{[]string{"a*"}, []string{"a.c"}, `{"a":{"b":1}}`},
		{[]string{"emp"}, nil, `{"emp":[]}`},
		{[]string{"x.w.y"}, nil, `{"x":[{"w":[{"y":7}]}]}`},
		{nil, []string{"x.w", "x.y", "x.z"}, a + rest},
		{[]string{"nope"}, nil, `{}`},
		{[]string{"a", "a.c.d"}, nil, `{"a":{"b":1,"c":{"d":2,"e":[1,2]}}}`},
		{[]string{"*.c.*"}, nil, `{"a":{"c":{"d":2,"e":[1,2]}}}`},
		{[]string{"*d"}, nil, `{}`},
		{nil, []string{"q.r.s"}, a + x + `"n":null,"k.l":5,"o":{},"big":9007199254740993,"f":1.5,"emp":[]}`},
		{[]string{"a."}, nil, `{}`},
		{[]string{"a.c"}, []string{"a.c.*"}, `{"a":{"c":{}}}`},
		{[]string{"**"}, nil, a + x + rest},
		{[]string{"a.b."}, nil, `{}`},
		{[]string{"**.d"}, nil, `{"a":{"c":{"d":2}}}`},
		{[]string{"*.d"}, nil, `{}`},
		{[]string{"a*d"}, nil, `{}`},
		{[]string{"a*d"}, []string{"zz*"}, `{"a":{"c":{"d":2}}}`},
		{[]string{"*.d"}, []string{"zz"}, `{}`},
		{nil, []string{"*.d"}, `{"a":{"b":1,"c":{"e":[1,2]}},` + x + rest},
		{[]string{"a"}, []string{"a.b", "a.c"}, `{}`},
		{[]string{"a"}, []string{"a.b", "a.c*"}, `{"a":{}}`},
		{nil, []string{"x.y", "x.w"}, a + `"x":[{"z":2},{"z":3}],` + rest},
		{[]string{"k.*"}, nil, `{"k.l":5}`},
		{[]string{"*.*"}, nil, a + x + `"k.l":5,"q":{"r":{"s":[]}}}`},
	} {
		if got := string(New(c.includes, c.excludes).Append(nil, jsonx.MustParse(source))); got != c.want {
			t.Errorf("includes %q excludes %q:\n got %s\nwant %s", c.includes, c.excludes, got, c.want)
		}
	}
}
