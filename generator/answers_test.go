package main

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"postern/generated/answer"
	"postern/generator/ir"
	"postern/internal/jsonx"
)

// appended stands for what encodes itself.
type appended []byte

func (a appended) AppendJSON(dst []byte) []byte { return append(dst, a...) }

// TestAnswersAsRecorded fills answers with what real Elasticsearch sent and encodes
// them: the same bytes come out, which is decode and encode in one.
func TestAnswersAsRecorded(t *testing.T) {
	types := map[string]func() jsonx.Appender{
		"answers-00": func() jsonx.Appender { return new(answer.Info) },
		"answers-01": func() jsonx.Appender { return new(answer.Write) },
		"answers-02": func() jsonx.Appender { return new(answer.Write) },
		"answers-03": func() jsonx.Appender { return new(answer.Write) },
		"answers-04": func() jsonx.Appender { return new(answer.Write) },
		"answers-05": func() jsonx.Appender { return new(answer.GetResult) },
		"answers-06": func() jsonx.Appender { return new(answer.GetResult) },
		"answers-09": func() jsonx.Appender { return new(answer.Mget) },
		"answers-10": func() jsonx.Appender { return new(answer.Mget) },
		"answers-11": func() jsonx.Appender { return new(answer.Write) },
		"answers-12": func() jsonx.Appender { return new(answer.Write) },
		"answers-13": func() jsonx.Appender { return new(answer.ShardsOperation) },
		"answers-15": func() jsonx.Appender { return new(answer.IndexCreated) },
		"answers-18": func() jsonx.Appender { return new(answer.Analyze) },
		"answers-19": func() jsonx.Appender { return new(answer.Analyze) },
		"answers-20": func() jsonx.Appender { return new(answer.ResolveIndex) },
		"answers-22": func() jsonx.Appender { return new(answer.IndexTemplates) },
		"answers-23": func() jsonx.Appender { return new(answer.Acknowledged) },
		"answers-28": func() jsonx.Appender { return new(answer.AliasesUpdated) },
		"answers-31": func() jsonx.Appender { return new(answer.NodesInfo) },
		"answers-32": func() jsonx.Appender { return new(answer.Count) },
		"answers-33": func() jsonx.Appender { return new(answer.Bulk) },
	}
	f, err := os.Open("../spec/cases/answers/answers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var x struct{ Case, Answer string }
		if err := json.Unmarshal(in.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		make, ok := types[x.Case]
		if !ok {
			continue
		}
		t.Run(x.Case, func(t *testing.T) {
			v, err := jsonx.Parse([]byte(x.Answer))
			if err != nil {
				t.Fatal(err)
			}
			a := make()
			fill(t, reflect.ValueOf(a).Elem(), v)
			want := string(jsonx.Compact(nil, v))
			if got := string(a.AppendJSON(nil)); got != want {
				t.Errorf("\n%s\nElasticsearch:\n%s", got, want)
			}
		})
	}
}

// fill sets a Go value from JSON, member by member.
func fill(t *testing.T, dst reflect.Value, v jsonx.Value) {
	t.Helper()
	if dst.Kind() == reflect.Interface {
		dst.Set(reflect.ValueOf(appended(jsonx.Compact(nil, v))))
		return
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		fill(t, dst.Elem(), v)
	case reflect.Bool:
		b, _ := v.Bool()
		dst.SetBool(b)
	case reflect.Int64:
		n, _ := v.Int64()
		dst.SetInt(n)
	case reflect.Float64:
		f, _ := v.Float64()
		dst.SetFloat(f)
	case reflect.String:
		dst.SetString(v.Text())
	case reflect.Slice:
		fillSlice(t, dst, v)
	case reflect.Struct:
		fillStruct(t, dst, v)
	default:
		t.Fatalf("a %s", dst.Type())
	}
}

func fillSlice(t *testing.T, dst reflect.Value, v jsonx.Value) {
	if dst.Type().Elem().Kind() == reflect.Uint8 {
		dst.SetBytes(v.Raw())
		return
	}
	dst.Set(reflect.MakeSlice(dst.Type(), v.Len(), v.Len()))
	i := 0
	for e := range v.Elements() {
		fill(t, dst.Index(i), e)
		i++
	}
	for k, m := range v.Members() { // a dictionary
		fillPair(t, dst.Index(i), k, m)
		i++
	}
}

func fillPair(t *testing.T, dst reflect.Value, k jsonx.Key, m jsonx.Value) {
	dst.FieldByName("Key").SetString(k.Text())
	fill(t, dst.FieldByName("Value"), m)
}

func fillStruct(t *testing.T, dst reflect.Value, v jsonx.Value) {
	if dst.FieldByName("Key").IsValid() { // a pair
		for k, m := range v.Members() {
			fillPair(t, dst, k, m)
		}
		return
	}
	for k, m := range v.Members() {
		name := ir.GoName(k.Text())
		if k.Text() == "_nodes" {
			name = "Summary"
		}
		f := dst.FieldByName(name)
		if !f.IsValid() {
			t.Fatalf("%s has no member %s", dst.Type(), k.Text())
		}
		fill(t, f, m)
	}
}
