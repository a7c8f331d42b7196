package handlers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/xcontent"
)

// figures is a store of which only the figures are asked.
type figures struct{ store.Documents }

func (figures) Stats(_ context.Context, ix *metadata.Index) (store.Stats, error) {
	return store.Stats{Docs: 12, Deleted: 3, StoreBytes: 3399, Segments: 2, GetTotal: 5}, nil
}

// testCluster has the indices books (one shard, one replica, with aliases) and logs (two
// shards, no replica).
func testCluster(t *testing.T) *Cluster {
	t.Helper()
	state := metadata.NewState("RGBhKrazSMK4jnQhWakHwA")
	for i, body := range []string{
		`{"aliases":{"b":{"filter":{"term":{"a":1}},"routing":"1","is_write_index":true},"all":{}}}`,
		`{"settings":{"number_of_shards":2,"number_of_replicas":0},"aliases":{"all":{}}}`,
	} {
		d, err := metadata.ParseDefinition(jsonx.MustParse(body))
		if err != nil {
			t.Fatal(err)
		}
		name := []string{"books", "logs"}[i]
		state, _, err = state.CreateIndex(metadata.Creation{Name: name, Definition: d, UUID: "uuid-of-" + name, At: time.UnixMilli(1796090809527)})
		if err != nil {
			t.Fatal(err)
		}
	}
	return &Cluster{
		Node: &Node{ID: "Dhogs3WVQlKPQywQnX_dpg", Name: "n1", ClusterName: "c1", Host: "127.0.0.1", IP: "127.0.0.1", Address: "127.0.0.1:9200",
			DataPath: "/data", Started: time.UnixMilli(1796087086307), MaxBody: 100 << 20, MemoryLimit: 1 << 30},
		State:     func(context.Context) (*metadata.State, error) { return state, nil },
		Documents: figures{},
	}
}

func body(t *testing.T, a routes.Answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(a.AppendJSON(nil))
}

func text(t *testing.T, a routes.Answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(a.(interface{ AppendText([]byte) []byte }).AppendText(nil))
}

func TestHealth(t *testing.T) {
	c := testCluster(t)
	ctx := context.Background()
	short := &xcontent.Duration{D: 30 * time.Millisecond}
	const head = `{"cluster_name":"c1","status":`
	for _, x := range []struct {
		r      api.ClusterHealthRequest
		status int
		want   string
	}{
		{api.ClusterHealthRequest{}, 200, `"yellow","timed_out":false,"number_of_nodes":1,"number_of_data_nodes":1,"active_primary_shards":3,"active_shards":3,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":1,"unassigned_primary_shards":0,"delayed_unassigned_shards":0,"number_of_pending_tasks":0,"number_of_in_flight_fetch":0,"task_max_waiting_in_queue_millis":0,"active_shards_percent_as_number":75.0}`},
		{api.ClusterHealthRequest{Index: []string{"logs"}, Level: api.LevelShards}, 200, `"green","timed_out":false,"number_of_nodes":1,"number_of_data_nodes":1,"active_primary_shards":2,"active_shards":2,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,"unassigned_primary_shards":0,"delayed_unassigned_shards":0,"number_of_pending_tasks":0,"number_of_in_flight_fetch":0,"task_max_waiting_in_queue_millis":0,"active_shards_percent_as_number":100.0,"indices":{"logs":{"status":"green","number_of_shards":2,"number_of_replicas":0,"active_primary_shards":2,"active_shards":2,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,"unassigned_primary_shards":0,"shards":{"0":{"status":"green","primary_active":true,"active_shards":1,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,"unassigned_primary_shards":0},"1":{"status":"green","primary_active":true,"active_shards":1,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,"unassigned_primary_shards":0}}}}}`},
		{api.ClusterHealthRequest{Index: []string{"nope"}, Timeout: short}, 408, `"red","timed_out":true,`},
		{api.ClusterHealthRequest{Index: []string{"nope*"}, Timeout: short}, 200, `"green","timed_out":false,`},
		{api.ClusterHealthRequest{WaitForStatus: api.HealthStatusGreen, Timeout: short}, 408, `"yellow","timed_out":true,`},
		{api.ClusterHealthRequest{WaitForStatus: api.HealthStatusYellow}, 200, `"yellow","timed_out":false,`},
		{api.ClusterHealthRequest{WaitForNodes: ">=1"}, 200, `"yellow","timed_out":false,`},
		{api.ClusterHealthRequest{WaitForNodes: "ge(2)", Timeout: short}, 408, `"yellow","timed_out":true,`},
		{api.ClusterHealthRequest{WaitForActiveShards: "all", Timeout: short}, 408, `"yellow","timed_out":true,`},
		{api.ClusterHealthRequest{WaitForActiveShards: "3"}, 200, `"yellow","timed_out":false,`},
		{api.ClusterHealthRequest{Index: []string{"b"}}, 200, `"yellow","timed_out":false,"number_of_nodes":1,"number_of_data_nodes":1,"active_primary_shards":1,`},
	} {
		a, err := c.ClusterHealth(ctx, &x.r)
		got := body(t, a, err)
		if !strings.HasPrefix(got, head+x.want) || a.(*health).Status() != x.status {
			t.Errorf("%+v: %d\n got %s\nwant %s", x.r, a.(*health).Status(), got, head+x.want)
		}
	}
	for _, r := range []api.ClusterHealthRequest{{WaitForNodes: "abc"}, {WaitForActiveShards: "x"}, {WaitForActiveShards: "-1"}} {
		if _, err := c.ClusterHealth(ctx, &r); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

func TestHealthWaitsForAnIndex(t *testing.T) {
	c := testCluster(t)
	full, err := c.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	c.State = func(context.Context) (*metadata.State, error) {
		if calls++; calls < 3 {
			return metadata.NewState("x"), nil
		}
		return full, nil
	}
	a, err := c.ClusterHealth(context.Background(), &api.ClusterHealthRequest{Index: []string{"books"}})
	if got := body(t, a, err); !strings.Contains(got, `"status":"yellow","timed_out":false`) {
		t.Error(got)
	}
}

func TestInfoAndLicense(t *testing.T) {
	c := testCluster(t)
	a, err := c.Info(context.Background(), &api.InfoRequest{})
	want := `{"name":"n1","cluster_name":"c1","cluster_uuid":"RGBhKrazSMK4jnQhWakHwA","version":{"number":"8.19.1","build_flavor":"default","build_type":"tar","build_hash":"` + revision() +
		`","build_date":"` + buildDate + `","build_snapshot":false,"lucene_version":"9.12.2","minimum_wire_compatibility_version":"7.17.0","minimum_index_compatibility_version":"7.0.0"},"tagline":"You Know, for Search"}`
	if diff := cmp.Diff(want, body(t, a, err)); diff != "" {
		t.Error(diff)
	}
	a, err = c.LicenseGet(context.Background(), &api.LicenseGetRequest{})
	if got := body(t, a, err); !strings.HasPrefix(got, `{"license":{"status":"active","uid":"RGBhKrazSMK4jnQhWakHwA","type":"basic",`) {
		t.Error(got)
	}
}

func TestNodesInfo(t *testing.T) {
	c := testCluster(t)
	for _, x := range []struct {
		ids, metrics []string
		want         string // "" for no node
	}{
		{nil, nil, `"http":{"bound_address":["127.0.0.1:9200"],"publish_address":"127.0.0.1:9200","max_content_length_in_bytes":104857600}`},
		{[]string{"http"}, nil, `"roles":["data","data_content","data_hot","ingest","master"],"http":{`},
		{[]string{"_local"}, []string{"settings"}, `"settings":{"cluster":{"name":"c1"},"discovery":{"type":"single-node"},"http":{"port":"9200"},"network":{"host":"127.0.0.1"},"node":{"name":"n1"},"path":{"data":"/data"}}}}}`},
		{[]string{"n*"}, []string{"process"}, `"process":{"refresh_interval_in_millis":1000,"id":`},
		{[]string{"nope"}, nil, ""}, {[]string{"data:false"}, nil, ""}, {[]string{"master:true"}, []string{"nope"}, `"master"]}}}`},
		{[]string{"_all", "data:false"}, nil, ""},
	} {
		a, err := c.NodesInfo(context.Background(), &api.NodesInfoRequest{NodeID: x.ids, Metric: x.metrics})
		got := body(t, a, err)
		want := `{"_nodes":{"total":1,"successful":1,"failed":0},"cluster_name":"c1","nodes":{"Dhogs3WVQlKPQywQnX_dpg":{"name":"n1",`
		if x.want == "" {
			want = `{"_nodes":{"total":0,"successful":0,"failed":0},"cluster_name":"c1","nodes":{}}`
		}
		if !strings.HasPrefix(got, want) || !strings.Contains(got, x.want) {
			t.Errorf("%v %v: %s", x.ids, x.metrics, got)
		}
		if _, err := jsonx.Parse([]byte(got)); err != nil {
			t.Error(err, got)
		}
	}
}

func TestTables(t *testing.T) {
	c := testCluster(t)
	ctx, yes := context.Background(), true
	a, err := c.CatIndices(ctx, &api.CatIndicesRequest{V: &yes})
	want := "health status index uuid          pri rep docs.count docs.deleted store.size pri.store.size dataset.size\n" +
		"yellow open   books uuid-of-books   1   1         12            3      3.3kb          3.3kb        3.3kb\n" +
		"green  open   logs  uuid-of-logs    2   0         12            3      3.3kb          3.3kb        3.3kb\n"
	if diff := cmp.Diff(want, text(t, a, err)); diff != "" {
		t.Error(diff)
	}
	a, err = c.CatIndices(ctx, &api.CatIndicesRequest{Health: "green", H: []string{"i", "cds", "get.total", "flush.total"}, Pri: &yes, Bytes: "b"})
	if got := body(t, a, err); got != `[{"i":"logs","cds":"2026-12-01T02:06:49.527Z","get.total":"5","pri.get.total":"5","flush.total":null,"pri.flush.total":null}]` {
		t.Error(got)
	}
	a, err = c.CatAliases(ctx, &api.CatAliasesRequest{})
	if diff := cmp.Diff("all books - - - -\nall logs  - - - -\nb   books * 1 1 true\n", text(t, a, err)); diff != "" {
		t.Error(diff)
	}
	a, err = c.CatAliases(ctx, &api.CatAliasesRequest{Name: []string{"a*"}, H: []string{"i"}})
	if got := text(t, a, err); got != "books\nlogs\n" {
		t.Errorf("%q", got)
	}
	no := false
	a, err = c.CatHealth(ctx, &api.CatHealthRequest{Ts: &no})
	if got := text(t, a, err); got != "c1 yellow 1 1 3 3 0 0 1 0 - 75.0%\n" {
		t.Errorf("%q", got)
	}
	a, err = c.CatNodes(ctx, &api.CatNodesRequest{H: []string{"id", "ip", "http", "node.role", "master", "name"}})
	if got := text(t, a, err); got != "Dhog 127.0.0.1 127.0.0.1:9200 dhims * n1\n" {
		t.Errorf("%q", got)
	}
}
