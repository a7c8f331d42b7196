package routes_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"postern/internal/rest"
)

// TestMethodsAsRecorded asks many paths with every method: those that Elasticsearch
// answers lead to a route, the others get its 405 with the same methods or its 400.
func TestMethodsAsRecorded(t *testing.T) {
	f, err := os.Open("../../spec/cases/methods/methods.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := trie()
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); n++ {
		var x struct {
			Case, Method, Path string
			Status             int
			Allow              []string
			None               bool
		}
		if err := json.Unmarshal(in.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		_, _, err := table.Find(x.Method, x.Path, x.Path)
		var none *rest.NoHandler
		var wrong *rest.MethodNotAllowed
		switch {
		case x.Status == 405:
			if !errors.As(err, &wrong) || !slices.Equal(wrong.Allow, x.Allow) {
				t.Errorf("%s %s: %v, Elasticsearch allows %v", x.Method, x.Path, err, x.Allow)
			}
		case x.None:
			if !errors.As(err, &none) {
				t.Errorf("%s %s: %v, Elasticsearch has no handler", x.Method, x.Path, err)
			}
		case err != nil:
			t.Errorf("%s %s: %v, Elasticsearch answers", x.Method, x.Path, err)
		}
	}
	if n < 300 {
		t.Errorf("only %d cases", n)
	}
}
