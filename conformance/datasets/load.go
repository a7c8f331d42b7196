package datasets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// batch is how many documents go into one bulk request.
const batch = 2000

// Loader indexes data sets, each once per engine.
type Loader struct {
	cache string
	mu    sync.Mutex
	done  map[string]error // by address and name
}

// NewLoader returns a Loader that keeps fetched packages in the folder cache.
func NewLoader(cache string) *Loader {
	return &Loader{cache: cache, done: map[string]error{}}
}

// Load makes sure that the data set is in the engine at address. Its index is kept when
// it is already there and full.
func (l *Loader) Load(ctx context.Context, address, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := address + " " + name
	err, tried := l.done[key]
	if !tried {
		err = l.load(ctx, address, name)
		l.done[key] = err
	}
	return err
}

func (l *Loader) load(ctx context.Context, address, name string) error {
	s, ok := known(name)
	if !ok {
		return fmt.Errorf("no data set is called %q", name)
	}
	file, err := archive(ctx, l.cache)
	if err != nil {
		return err
	}
	text, err := extract(file, s.file)
	if err != nil {
		return err
	}
	documents, err := s.documents(text)
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	e := engine{base: "http://" + address, client: &http.Client{Timeout: 2 * time.Minute}}
	if n, err := e.count(ctx, s.index); err == nil && n == len(documents) {
		return nil
	}
	if err := e.fill(ctx, s, documents); err != nil {
		return fmt.Errorf("loading %s: %w", name, err)
	}
	return nil
}

type engine struct {
	base   string
	client *http.Client
}

func (e engine) count(ctx context.Context, index string) (int, error) {
	body, err := e.ask(ctx, http.MethodGet, "/"+index+"/_count", nil)
	if err != nil {
		return 0, err
	}
	var answer struct{ Count int }
	err = json.Unmarshal(body, &answer)
	return answer.Count, err
}

func (e engine) fill(ctx context.Context, s set, documents []json.RawMessage) error {
	if _, err := e.ask(ctx, http.MethodDelete, "/"+s.index+"?ignore_unavailable=true", nil); err != nil {
		return err
	}
	if _, err := e.ask(ctx, http.MethodPut, "/"+s.index, []byte(s.body)); err != nil {
		return err
	}
	for start := 0; start < len(documents); start += batch {
		var body, line bytes.Buffer
		for i, d := range documents[start:min(start+batch, len(documents))] {
			line.Reset()
			if err := json.Compact(&line, d); err != nil {
				return err
			}
			fmt.Fprintf(&body, "{\"index\":{\"_id\":\"%d\"}}\n%s\n", start+i, line.Bytes())
		}
		answer, err := e.ask(ctx, http.MethodPost, "/"+s.index+"/_bulk?filter_path=errors,items.*.error", body.Bytes())
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(answer, []byte(`{"errors":false`)) {
			return fmt.Errorf("bulk: %.500s", answer)
		}
	}
	_, err := e.ask(ctx, http.MethodPost, "/"+s.index+"/_refresh", nil)
	return err
}

func (e engine) ask(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, e.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := e.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s answers %d: %.500s", method, path, answer.StatusCode, text)
	}
	return text, err
}
