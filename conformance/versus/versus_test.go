package versus

import (
	"math/rand/v2"
	"strings"
	"testing"

	"postern/conformance/jsontree"
)

func TestDrawnIsJSON(t *testing.T) {
	r := &drawing{rand.New(rand.NewPCG(1, 2)), map[string]int{}}
	for range 200 {
		w := r.world()
		for _, text := range append([]string{w.Mapping, r.request(w).Body}, w.Documents...) {
			if _, err := jsontree.Parse([]byte(text)); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
	}
	for _, kind := range []string{"terms", "composite", "significant_terms", "nested", "bool", "match_phrase", "geohash_grid"} {
		if r.kinds[kind] == 0 {
			t.Errorf("%s was never drawn", kind)
		}
	}
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct{ right, tested, want string }{
		{`{"took":1,"a":{"x":1,"y":2}}`, `{"a":{"y":2,"x":1},"took":7}`, ""},
		{`{"a":[1,2]}`, `{"a":[1]}`, ".a: 1 elements, not 2"},
		{`{"a":1}`, `{"a":1.0}`, ".a: 1.0, not 1"},
		{`{"_score":1.2345678}`, `{"_score":1.2345679}`, ""},
		{`{"sum":1.2345678}`, `{"sum":1.2345679}`, ".sum: 1.2345679, not 1.2345678"},
		{`{"a":1}`, `{"a":1,"b":2}`, ".b: one more"},
		{`{"bg_count":3,"buckets":[{"key":"b"},{"key":"a"}]}`, `{"bg_count":3,"buckets":[{"key":"a"},{"key":"b"}]}`, ""},
	} {
		if got := differ(Answer{200, c.right}, Answer{200, c.tested}); got != c.want {
			t.Errorf("%s and %s: %q, want %q", c.right, c.tested, got, c.want)
		}
	}
	if got := differ(Answer{200, "{}"}, Answer{400, "{}"}); got != "status 400, not 200" {
		t.Error(got)
	}
}

// Dropping parts of a request comes to each of them.
func TestDropReachesEverything(t *testing.T) {
	v, err := jsontree.Parse([]byte(`{"a":{"b":[1,2]},"c":3}`))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := 0; ; i++ {
		n := i
		smaller, ok := drop(v, &n)
		if !ok {
			break
		}
		all = append(all, jsontree.Compact(smaller))
	}
	want := `{"c":3} {"a":{"b":[1,2]}} {"a":{},"c":3} {"a":{"b":[2]},"c":3} {"a":{"b":[1]},"c":3}`
	if got := strings.Join(all, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
