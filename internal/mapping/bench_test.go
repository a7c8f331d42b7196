package mapping

import (
	"testing"

	"postern/internal/jsonx"
)

const benchMapping = `{"properties":{"title":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}},"genre":{"type":"keyword"},
"rating":{"type":"double"},"votes":{"type":"long"},"released":{"type":"date"},"in_color":{"type":"boolean"},"ip":{"type":"ip"},"at":{"type":"geo_point"},
"cast":{"type":"nested","properties":{"name":{"type":"keyword"},"age":{"type":"integer"}}}}}`

const benchDocument = `{"title":"The quick brown fox jumps over the lazy dog","genre":["comedy","drama"],"rating":7.9,"votes":123456,"released":"1999-10-15T12:34:56.789Z","in_color":true,
"ip":"192.168.0.1","at":{"lat":41.12,"lon":-71.34},"cast":[{"name":"Ada","age":36},{"name":"Grace","age":85}]}`

// BenchmarkDocument is the hot path of writes: tape and document are used again.
func BenchmarkDocument(b *testing.B) {
	m, err := Parse(jsonx.MustParse(benchMapping), Options{})
	if err != nil {
		b.Fatal(err)
	}
	var tape jsonx.Tape
	var d Document
	body := []byte(benchDocument)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := jsonx.ParseReuse(&tape, body)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.ParseDocument(&d, "1", "", v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONAlone(b *testing.B) {
	var tape jsonx.Tape
	body := []byte(benchDocument)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonx.ParseReuse(&tape, body); err != nil {
			b.Fatal(err)
		}
	}
}

// Reading a document allocates nothing beyond what its texts make of upper case.
func TestDocumentAllocations(t *testing.T) {
	m, err := Parse(jsonx.MustParse(benchMapping), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tape jsonx.Tape
	var d Document
	body := []byte(benchDocument)
	n := testing.AllocsPerRun(100, func() {
		v, _ := jsonx.ParseReuse(&tape, body)
		if _, err := m.ParseDocument(&d, "1", "", v); err != nil {
			t.Fatal(err)
		}
	})
	if n > 4 {
		t.Errorf("%v allocations a document", n)
	}
}
