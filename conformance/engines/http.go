package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// httpAddress is the URL of an engine that speaks Elasticsearch's API on port.
func httpAddress(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// askHTTP asks such an engine for its version, and for its health once it is yellow or green.
func askHTTP(ctx context.Context, url string) (State, error) {
	var health struct{ Status string }
	if err := getJSON(ctx, url+"/_cluster/health?wait_for_status=yellow&timeout=1s", &health); err != nil {
		return State{}, err
	}
	var root struct{ Version struct{ Number string } }
	err := getJSON(ctx, url+"/", &root)
	return State{Version: root.Version.Number, Health: health.Status}, err
}

func getJSON(ctx context.Context, url string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d", url, answer.StatusCode)
	}
	return json.Unmarshal(body, into)
}
