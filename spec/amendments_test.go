package spec_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"postern/spec"
)

// TestCasesExist holds the amendments to their evidence: the recorded case that each
// names is there.
func TestCasesExist(t *testing.T) {
	recorded := map[string]bool{}
	for _, pattern := range []string{"cases/*.jsonl", "cases/rest/*.jsonl", "cases/answers/*.jsonl", "cases/lines/*.jsonl", "cases/methods/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			in := bufio.NewScanner(f)
			in.Buffer(nil, 1<<20)
			for in.Scan() {
				var x struct {
					Case string `json:"case"`
				}
				if err := json.Unmarshal(in.Bytes(), &x); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if recorded[x.Case] {
					t.Errorf("%s is recorded twice", x.Case)
				}
				recorded[x.Case] = true
			}
			f.Close()
		}
	}
	text, err := os.ReadFile("amendments.yaml")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\bcase: ([a-z_]+-\d+)`).FindAllSubmatch(text, -1)
	if len(named) < 50 {
		t.Fatalf("only %d lines name a case", len(named))
	}
	for _, m := range named {
		if !recorded[string(m[1])] {
			t.Errorf("amendments.yaml names the case %s, which is not recorded", m[1])
		}
	}
}

// TestEvidence tells that every parser, enum and answer has a case, but for those that
// the oracle has not.
func TestEvidence(t *testing.T) {
	amended, err := spec.Amendments()
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range amended.Parsers {
		if p.Case == "" {
			t.Errorf("parsers %s has no case", name)
		}
	}
	for name, e := range amended.Enums {
		if e.Case == "" {
			t.Errorf("enums %s has no case", name)
		}
	}
	for name, m := range amended.URL {
		if m.Case == "" {
			t.Errorf("url %s has no case", name)
		}
	}
	for name, routes := range amended.Routes {
		for _, r := range routes {
			if r.Case == "" {
				t.Errorf("routes %s %s has no case", name, r.Path)
			}
		}
	}
	for name, a := range amended.Answers {
		if a.Case == "" && a.Go != "License" && a.Go != "LicenseInformation" {
			t.Errorf("answers %s has no case", name)
		}
	}
}

func TestEmbedded(t *testing.T) {
	m, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	if m.Version != "8.19.1" || len(m.Endpoints) != 566 || len(m.Types()) != 3544 {
		t.Errorf("version %s, %d endpoints, %d types", m.Version, len(m.Endpoints), len(m.Types()))
	}
	s, err := spec.Supported()
	if err != nil {
		t.Fatal(err)
	}
	if s.Specification != m.Version {
		t.Errorf("support.yaml speaks of %s, the facts of %s", s.Specification, m.Version)
	}
}
