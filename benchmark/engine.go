package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// An engine is one server under test; its process is found by its listening port, so
// that its resident memory can be read.
type engine struct {
	Name, URL string
	Version   string
	client    *http.Client
}

func newEngine(name, url string) *engine {
	return &engine{Name: name, URL: strings.TrimRight(url, "/"), client: &http.Client{
		Timeout:   5 * time.Minute,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
	}}
}

// call sends one request and reads the whole answer; an answer above 299 is an error.
func (e *engine) call(method, path, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequest(method, e.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode > 299 {
		return nil, fmt.Errorf("%s: %s %s: %d %.300s", e.Name, method, path, resp.StatusCode, answer)
	}
	return answer, nil
}

func (e *engine) json(method, path string, body string, into any) error {
	var b []byte
	if body != "" {
		b = []byte(body)
	}
	answer, err := e.call(method, path, "application/json", b)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func (e *engine) identify() error {
	var root struct {
		Version struct{ Number, Distribution string }
	}
	if err := e.json("GET", "/", "", &root); err != nil {
		return err
	}
	e.Version = strings.TrimSpace(root.Version.Distribution + " " + root.Version.Number)
	return nil
}

// load creates the index anew and writes all documents in bulks of a thousand; the
// time runs until the last document can be found.
func (e *engine) load(index string, docs []product) (time.Duration, error) {
	_, _ = e.call("DELETE", "/"+index, "", nil)
	if err := e.json("PUT", "/"+index, indexBody, nil); err != nil {
		return 0, err
	}
	var bodies [][]byte
	for at := 0; at < len(docs); at += 1000 {
		var b bytes.Buffer
		for _, d := range docs[at:min(at+1000, len(docs))] {
			fmt.Fprintf(&b, "{\"index\":{\"_id\":%q}}\n%s\n", d.ID, d.source())
		}
		bodies = append(bodies, b.Bytes())
	}
	start := time.Now()
	for _, b := range bodies {
		answer, err := e.call("POST", "/"+index+"/_bulk", "application/x-ndjson", b)
		if err != nil {
			return 0, err
		}
		if !bytes.Contains(answer[:min(len(answer), 200)], []byte(`"errors":false`)) {
			return 0, fmt.Errorf("%s: a bulk reports errors: %.300s", e.Name, answer)
		}
	}
	if _, err := e.call("POST", "/"+index+"/_refresh", "application/json", nil); err != nil {
		return 0, err
	}
	took := time.Since(start)
	var count struct{ Count int }
	if err := e.json("GET", "/"+index+"/_count", "", &count); err != nil {
		return 0, err
	}
	if count.Count != len(docs) {
		return 0, fmt.Errorf("%s: %d documents loaded, %d counted", e.Name, len(docs), count.Count)
	}
	return took, nil
}

// residentMiB reads the resident memory of the process that listens on the engine's
// port; 0 when it can't be told (another machine, no ss).
func (e *engine) residentMiB() float64 {
	port := e.URL[strings.LastIndex(e.URL, ":")+1:]
	out, err := exec.Command("ss", "-ltnpH", "sport = :"+port).Output()
	if err != nil {
		return 0
	}
	_, rest, found := strings.Cut(string(out), "pid=")
	if !found {
		return 0
	}
	pid, _, _ := strings.Cut(rest, ",")
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.Fields(kb)[0])
			return float64(n) / 1024
		}
	}
	return 0
}
