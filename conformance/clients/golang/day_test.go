// Package golang does a day's work with the official Go client.
package golang

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esapi"
	"github.com/elastic/go-elasticsearch/v8/esutil"
	"github.com/elastic/go-elasticsearch/v8/typedapi/types"
	"github.com/elastic/go-elasticsearch/v8/typedapi/types/enums/refresh"
	"github.com/elastic/go-elasticsearch/v8/typedapi/types/enums/sortorder"
)

const index = "clients-go"

func config(t *testing.T) elasticsearch.Config {
	url := os.Getenv("ELASTICSEARCH_URL")
	if url == "" {
		t.Skip("SKIP: ELASTICSEARCH_URL names no server")
	}
	return elasticsearch.Config{Addresses: []string{url}, CompressRequestBody: true}
}

// answer reads the body of a plain-API answer that has to have the status.
func answer(t *testing.T, r *esapi.Response, err error, status int) map[string]any {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", r.StatusCode, status, text)
	}
	body := map[string]any{}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &body); err != nil {
			t.Fatal(err)
		}
	}
	return body
}

func TestPlainClient(t *testing.T) {
	es, err := elasticsearch.NewClient(config(t))
	if err != nil {
		t.Fatal(err)
	}
	body := func(text string) io.Reader { return strings.NewReader(text) }

	r, err := es.Info()
	info := answer(t, r, err, 200)
	if number := info["version"].(map[string]any)["number"].(string); !strings.HasPrefix(number, "8.") {
		t.Errorf("version %s", number)
	}
	r, err = es.Indices.Delete([]string{index}, es.Indices.Delete.WithIgnoreUnavailable(true))
	answer(t, r, err, 200)
	r, err = es.Indices.Create(index, es.Indices.Create.WithBody(body(
		`{"mappings":{"properties":{"name":{"type":"text"},"group":{"type":"keyword"},"n":{"type":"integer"}}}}`)))
	answer(t, r, err, 200)
	r, err = es.Index(index, body(`{"name":"first thing","group":"a","n":1}`), es.Index.WithDocumentID("1"), es.Index.WithRefresh("true"))
	answer(t, r, err, 201)
	r, err = es.Create(index, "1", body(`{}`))
	conflict := answer(t, r, err, 409)
	if kind := conflict["error"].(map[string]any)["type"]; kind != "version_conflict_engine_exception" {
		t.Errorf("a second create: %v", kind)
	}
	r, err = es.Get(index, "1")
	got := answer(t, r, err, 200)
	if got["_source"].(map[string]any)["name"] != "first thing" {
		t.Errorf("got %v", got)
	}
	r, err = es.Update(index, "1", body(`{"doc":{"n":2}}`), es.Update.WithIfSeqNo(0), es.Update.WithIfPrimaryTerm(1))
	answer(t, r, err, 200)
	r, err = es.Update(index, "1", body(`{"doc":{"n":3}}`), es.Update.WithIfSeqNo(0), es.Update.WithIfPrimaryTerm(1))
	answer(t, r, err, 409)
	r, err = es.Search(es.Search.WithIndex("no-such-index"))
	missing := answer(t, r, err, 404)
	if kind := missing["error"].(map[string]any)["type"]; kind != "index_not_found_exception" {
		t.Errorf("a missing index: %v", kind)
	}
	r, err = es.Exists(index, "9")
	answer(t, r, err, 404)
	r, err = es.Delete(index, "1", es.Delete.WithRefresh("true"))
	answer(t, r, err, 200)
}

func TestBulkIndexerAndTypedSearch(t *testing.T) {
	ctx := context.Background()
	es, err := elasticsearch.NewClient(config(t))
	if err != nil {
		t.Fatal(err)
	}
	typed, err := elasticsearch.NewTypedClient(config(t))
	if err != nil {
		t.Fatal(err)
	}
	const name = index + "-typed"
	if _, err := typed.Indices.Delete(name).IgnoreUnavailable(true).Do(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = typed.Indices.Create(name).Mappings(&types.TypeMapping{Properties: map[string]types.Property{
		"group": types.NewKeywordProperty(),
		"n":     types.NewIntegerNumberProperty(),
		"at":    types.NewDateProperty(),
		"text":  types.NewTextProperty(),
	}}).Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	load(ctx, t, es, name)

	search, err := typed.Search().Index(name).
		Query(&types.Query{Bool: &types.BoolQuery{Filter: []types.Query{{Term: map[string]types.TermQuery{"group": {Value: "g1"}}}}}}).
		Sort(types.SortOptions{SortOptions: map[string]types.FieldSort{"n": {Order: &sortorder.Desc}}}).
		Size(3).Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if search.Hits.Total.Value != 50 || len(search.Hits.Hits) != 3 || *search.Hits.Hits[0].Id_ != "199" && *search.Hits.Hits[0].Id_ != "197" {
		t.Errorf("search: total %d, hits %d", search.Hits.Total.Value, len(search.Hits.Hits))
	}
	walk(ctx, t, typed, name)
	aggregate(ctx, t, typed, name)

	_, err = typed.Search().Index("no-such-index").Do(ctx)
	var failed *types.ElasticsearchError
	if !asError(err, &failed) || failed.Status != http.StatusNotFound || failed.ErrorCause.Type != "index_not_found_exception" {
		t.Errorf("a missing index: %v", err)
	}
	updated, err := typed.Update(name, "0").Doc(map[string]any{"n": 1000}).Refresh(refresh.True).Do(ctx)
	if err != nil || updated.Version_ != 2 {
		t.Errorf("update: %+v, %v", updated, err)
	}
	count, err := typed.Count().Index(name).Query(&types.Query{Range: map[string]types.RangeQuery{"n": types.NumberRangeQuery{Gte: number(1000)}}}).Do(ctx)
	if err != nil || count.Count != 1 {
		t.Errorf("count: %+v, %v", count, err)
	}
	if _, err := typed.Indices.PutAlias(name, name+"-alias").Do(ctx); err != nil {
		t.Error(err)
	}
	if ok, err := typed.Indices.ExistsAlias(name + "-alias").Do(ctx); err != nil || !ok {
		t.Errorf("alias: %t, %v", ok, err)
	}
}

func number(f float64) *types.Float64 { n := types.Float64(f); return &n }

func asError(err error, target **types.ElasticsearchError) bool {
	e, ok := err.(*types.ElasticsearchError)
	*target = e
	return ok
}

func load(ctx context.Context, t *testing.T, es *elasticsearch.Client, name string) {
	t.Helper()
	indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{Client: es, Index: name, Refresh: "true", NumWorkers: 2, FlushBytes: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		document := fmt.Sprintf(`{"group":"g%d","n":%d,"at":"2024-01-%02dT00:00:00Z","text":"number %d"}`, i%4, i, i%28+1, i)
		err := indexer.Add(ctx, esutil.BulkIndexerItem{Action: "index", DocumentID: fmt.Sprint(i), Body: bytes.NewReader([]byte(document)),
			OnFailure: func(_ context.Context, item esutil.BulkIndexerItem, answer esutil.BulkIndexerResponseItem, err error) {
				t.Errorf("%s: %v %+v", item.DocumentID, err, answer.Error)
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := indexer.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if stats := indexer.Stats(); stats.NumFlushed != 200 || stats.NumFailed != 0 {
		t.Fatalf("bulk: %+v", stats)
	}
}

// walk pages through all documents with a cursor.
func walk(ctx context.Context, t *testing.T, typed *elasticsearch.TypedClient, name string) {
	t.Helper()
	seen := map[string]bool{}
	var after []types.FieldValue
	for {
		request := typed.Search().Index(name).Size(33).
			Sort(types.SortOptions{SortOptions: map[string]types.FieldSort{"at": {Order: &sortorder.Asc}}},
				types.SortOptions{SortOptions: map[string]types.FieldSort{"n": {Order: &sortorder.Asc}}})
		if after != nil {
			request = request.SearchAfter(after...)
		}
		page, err := request.Do(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Hits.Hits) == 0 {
			break
		}
		for _, h := range page.Hits.Hits {
			seen[*h.Id_] = true
			after = h.Sort
		}
	}
	if len(seen) != 200 {
		t.Errorf("the cursor showed %d documents, want 200", len(seen))
	}
}

// aggregate reads typed results, which the client decodes by their typed_keys names.
func aggregate(ctx context.Context, t *testing.T, typed *elasticsearch.TypedClient, name string) {
	t.Helper()
	field, metric, at := "group", "n", "at"
	week := types.NewDateHistogramAggregation()
	week.Field, week.FixedInterval = &at, "7d"
	result, err := typed.Search().Index(name).Size(0).Aggregations(map[string]types.Aggregations{
		"groups": {Terms: &types.TermsAggregation{Field: &field}, Aggregations: map[string]types.Aggregations{"sum": {Sum: &types.SumAggregation{Field: &metric}}}},
		"weeks":  {DateHistogram: week},
		"stats":  {Stats: &types.StatsAggregation{Field: &metric}},
	}).Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	groups, ok := result.Aggregations["groups"].(*types.StringTermsAggregate)
	if !ok {
		t.Fatalf("groups are %T", result.Aggregations["groups"])
	}
	buckets := groups.Buckets.([]types.StringTermsBucket)
	if len(buckets) != 4 || buckets[0].Key != "g0" || buckets[0].DocCount != 50 {
		t.Errorf("groups: %+v", buckets)
	}
	if sum, ok := buckets[0].Aggregations["sum"].(*types.SumAggregate); !ok || float64(*sum.Value) != 4900 {
		t.Errorf("sum: %+v", buckets[0].Aggregations)
	}
	if stats, ok := result.Aggregations["stats"].(*types.StatsAggregate); !ok || stats.Count != 200 || float64(*stats.Max) != 199 {
		t.Errorf("stats: %+v", result.Aggregations["stats"])
	}
	if weeks, ok := result.Aggregations["weeks"].(*types.DateHistogramAggregate); !ok || len(weeks.Buckets.([]types.DateHistogramBucket)) < 4 {
		t.Errorf("weeks: %+v", result.Aggregations["weeks"])
	}
}

func TestConcurrentWriters(t *testing.T) {
	es, err := elasticsearch.NewClient(config(t))
	if err != nil {
		t.Fatal(err)
	}
	const name = index + "-counter"
	r, err := es.Indices.Delete([]string{name}, es.Indices.Delete.WithIgnoreUnavailable(true))
	answer(t, r, err, 200)
	r, err = es.Index(name, strings.NewReader(`{"n":0}`), es.Index.WithDocumentID("c"))
	answer(t, r, err, 201)
	const writers, each = 4, 10
	done := make(chan error, writers)
	for range writers {
		go func() { done <- increment(es, name, each) }()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	r, err = es.Get(name, "c")
	got := answer(t, r, err, 200)
	if n := got["_source"].(map[string]any)["n"]; n != float64(writers*each) {
		t.Errorf("n = %v, want %d: an update was lost", n, writers*each)
	}
}

// increment adds one, times over, by compare and set.
func increment(es *elasticsearch.Client, name string, times int) error {
	deadline := time.Now().Add(30 * time.Second)
	for done := 0; done < times; {
		if time.Now().After(deadline) {
			return fmt.Errorf("only %d of %d increments in time", done, times)
		}
		r, err := es.Get(name, "c")
		if err != nil {
			return err
		}
		var document struct {
			SeqNo int             `json:"_seq_no"`
			Term  int             `json:"_primary_term"`
			Value struct{ N int } `json:"_source"`
		}
		err = json.NewDecoder(r.Body).Decode(&document)
		r.Body.Close()
		if err != nil {
			return err
		}
		r, err = es.Index(name, strings.NewReader(fmt.Sprintf(`{"n":%d}`, document.Value.N+1)), es.Index.WithDocumentID("c"),
			es.Index.WithIfSeqNo(document.SeqNo), es.Index.WithIfPrimaryTerm(document.Term))
		if err != nil {
			return err
		}
		r.Body.Close()
		switch r.StatusCode {
		case http.StatusOK:
			done++
		case http.StatusConflict:
		default:
			return fmt.Errorf("status %d", r.StatusCode)
		}
	}
	return nil
}
