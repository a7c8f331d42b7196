// Command record asks a real Elasticsearch for the answer to every case in the given
// files and writes what it said beside the request: the status, and the error object
// of a request that its parsers refuse.
//
//	go run ./spec/record -url http://127.0.0.1:9201 spec/cases/*.jsonl
//
// It makes the index gen_a that the cases ask, and deletes it again.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// exchange is one line of a file of cases.
type exchange struct {
	Case    string          `json:"case"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Body    string          `json:"body,omitempty"`
	Status  int             `json:"status"`
	Note    string          `json:"note,omitempty"`
	Differs string          `json:"differs,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

const index = "/gen_a"

const mapping = `{"mappings":{"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"t":{"type":"text"},"d":{"type":"date"}}}}`

func main() {
	url := flag.String("url", "http://127.0.0.1:9201", "address of an Elasticsearch 8.15.0")
	flag.Parse()
	if err := run(*url, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(url string, files []string) error {
	ask := func(method, path, body string) (int, []byte, error) {
		r, err := http.NewRequest(method, url+path, strings.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, nil, err
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		return a.StatusCode, text, err
	}
	if _, _, err := ask("DELETE", index, ""); err != nil {
		return err
	}
	for _, name := range files {
		if _, _, err := ask("PUT", index, mapping); err != nil {
			return err
		}
		if err := record(name, ask); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, _, err := ask("DELETE", index, ""); err != nil {
			return err
		}
	}
	return nil
}

func record(name string, ask func(method, path, body string) (int, []byte, error)) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for in := bufio.NewScanner(bytes.NewReader(old)); in.Scan(); {
		var x exchange
		if err := json.Unmarshal(in.Bytes(), &x); err != nil {
			return err
		}
		status, text, err := ask(x.Method, x.Path, x.Body)
		if err != nil {
			return fmt.Errorf("%s: %w", x.Case, err)
		}
		x.answer(status, text)
		if err := enc.Encode(x); err != nil {
			return err
		}
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

// answer keeps what the request's own parsers said; an error of the shards, of a
// missing document or the like comes after them.
func (x *exchange) answer(status int, text []byte) {
	x.Status, x.Error, x.Note = status, nil, ""
	var a struct {
		Error json.RawMessage `json:"error"`
	}
	var kind struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(text, &a) != nil || a.Error == nil || json.Unmarshal(a.Error, &kind) != nil {
		return
	}
	switch kind.Type {
	case "search_phase_execution_exception", "document_missing_exception", "version_conflict_engine_exception",
		"action_request_validation_exception", "index_not_found_exception", "aliases_not_found_exception":
		x.Status, x.Note = http.StatusOK, "taken; refused later: "+kind.Type
	default:
		x.Error = a.Error
	}
}
