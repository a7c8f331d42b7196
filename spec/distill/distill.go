package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
)

// prose are the members that explain and illustrate; they are not facts of the
// wire, and leaving them out is what makes the file small and its diffs readable.
var prose = map[string]bool{
	"description": true, "examples": true, "specLocation": true,
	"docId": true, "docTag": true, "docUrl": true,
	"extDocId": true, "extDocUrl": true, "extPreviousVersionDocUrl": true,
}

// distill writes the facts of a schema.json.
func distill(schema []byte, version string) ([]byte, error) {
	var doc struct {
		Endpoints []map[string]any `json:"endpoints"`
		Types     []map[string]any `json:"types"`
	}
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("schema.json: %w", err)
	}
	if len(doc.Endpoints) == 0 || len(doc.Types) == 0 {
		return nil, fmt.Errorf("schema.json holds %d endpoints and %d types", len(doc.Endpoints), len(doc.Types))
	}
	sort.SliceStable(doc.Endpoints, func(i, j int) bool {
		return text(doc.Endpoints[i]["name"]) < text(doc.Endpoints[j]["name"])
	})
	sort.SliceStable(doc.Types, func(i, j int) bool { return typeName(doc.Types[i]) < typeName(doc.Types[j]) })

	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	header := map[string]string{"source": "npm " + packageName, "version": version, "license": "Apache-2.0"}
	if err := enc.Encode(map[string]any{"specification": header}); err != nil {
		return nil, err
	}
	for _, e := range doc.Endpoints {
		if err := enc.Encode(map[string]any{"endpoint": strip(e, false)}); err != nil {
			return nil, err
		}
	}
	for _, t := range doc.Types {
		if err := enc.Encode(map[string]any{"type": strip(t, false)}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// strip drops prose. Inside a list of properties a member called "description" is
// never a key, so names of properties are safe; server defaults are data and stay.
func strip(v any, data bool) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if !data && prose[k] {
				delete(v, k)
				continue
			}
			v[k] = strip(x, data || k == "serverDefault")
		}
	case []any:
		for i, x := range v {
			v[i] = strip(x, data)
		}
	}
	return v
}

func text(v any) string { s, _ := v.(string); return s }

func typeName(t map[string]any) string {
	n, _ := t["name"].(map[string]any)
	return text(n["namespace"]) + ":" + text(n["name"])
}
