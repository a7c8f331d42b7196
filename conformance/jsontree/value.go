// Package jsontree reads JSON as an answer shows it: members stay in order, duplicate
// names stay visible and numbers keep their digits, because clients see all of that.
package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Value is one of Object, Array, Number, string, bool or nil.
type Value any

// Object is a JSON object with its members in the order of the text.
type Object []Member

// Member is one name and value of an Object.
type Member struct {
	Name  string
	Value Value
}

// Array is a JSON array.
type Array []Value

// Number is the text of a JSON number: 1 and 1.0 differ.
type Number string

// Get returns the first member called name.
func (o Object) Get(name string) (Value, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// Parse reads exactly one JSON value.
func Parse(text []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parse(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}

func parse(d *json.Decoder) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return parseObject(d)
		}
		return parseArray(d)
	case json.Number:
		return Number(t), nil
	case string:
		return t, nil
	case bool:
		return t, nil
	}
	return nil, nil
}

func parseObject(d *json.Decoder) (Value, error) {
	o := Object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := parse(d)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{Name: name.(string), Value: v})
	}
	_, err := d.Token()
	return o, err
}

func parseArray(d *json.Decoder) (Value, error) {
	a := Array{}
	for d.More() {
		v, err := parse(d)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
	_, err := d.Token()
	return a, err
}

// Compact writes v without white space.
func Compact(v Value) string {
	var b strings.Builder
	compact(&b, v)
	return b.String()
}

func compact(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case Object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			quote(b, m.Name)
			b.WriteByte(':')
			compact(b, m.Value)
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			compact(b, e)
		}
		b.WriteByte(']')
	case Number:
		b.WriteString(string(v))
	case string:
		quote(b, v)
	case bool:
		fmt.Fprintf(b, "%t", v)
	default:
		b.WriteString("null")
	}
}

func quote(b *strings.Builder, s string) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	b.Write(bytes.TrimRight(buf.Bytes(), "\n"))
}
