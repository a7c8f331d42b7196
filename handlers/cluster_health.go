package handlers

import (
	"context"
	"strconv"
	"strings"
	"time"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/rest"
)

const (
	healthTimeout = 30 * time.Second
	healthPoll    = 25 * time.Millisecond
)

// ClusterHealth answers _cluster/health. All shards of an index live here, its
// replicas nowhere: an index with replicas is yellow, as on one node of Elasticsearch.
// With wait_for_* it answers when the state is as wished, or after the time-out.
func (c *Cluster) ClusterHealth(ctx context.Context, r *api.ClusterHealthRequest) (routes.Answer, error) {
	wished, err := parseWish(r)
	if err != nil {
		return nil, err
	}
	timeout := healthTimeout
	if r.Timeout != nil {
		timeout = r.Timeout.D
	}
	deadline := time.Now().Add(timeout)
	for {
		h, err := c.health(ctx, r)
		if err != nil {
			return nil, err
		}
		h.human = rest.Human(ctx)
		if wished.met(h) {
			return h, nil
		}
		if !time.Now().Before(deadline) {
			h.timedOut = true
			return h, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(healthPoll, time.Until(deadline))):
		}
	}
}

// wish is what a request waits for.
type wish struct {
	status  api.HealthStatus
	nodes   func(n int) bool
	active  int  // shards
	allLive bool // all shards of all indices
}

func (w *wish) met(h *health) bool {
	switch {
	case h.missing:
		return false
	case w.status != 0 && h.status > w.status:
		return false
	case w.nodes != nil && !w.nodes(1):
		return false
	case w.allLive && h.unassigned > 0:
		return false
	}
	return h.active >= w.active
}

func parseWish(r *api.ClusterHealthRequest) (*wish, error) {
	w := &wish{status: r.WaitForStatus}
	switch text := r.WaitForActiveShards; text {
	case "", "0":
	case "all":
		w.allLive = true
	default:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, eserr.IllegalArgument("cannot parse ActiveShardCount[%s]", text).Cause(eserr.NumberFormat(`For input string: "` + text + `"`))
		}
		if n < 0 {
			return nil, eserr.IllegalArgument("cannot parse ActiveShardCount[%s]", text).Cause(eserr.IllegalArgument("shard count cannot be a negative value"))
		}
		w.active = n
	}
	var err error
	w.nodes, err = parseNodeCount(r.WaitForNodes)
	return w, err
}

// parseNodeCount reads wait_for_nodes: 3, >=3, ge(3) and so on.
func parseNodeCount(text string) (func(n int) bool, error) {
	if text == "" {
		return nil, nil
	}
	ops := []struct {
		sign, word string
		ok         func(n, want int) bool
	}{
		{">=", "ge(", func(n, want int) bool { return n >= want }}, {"<=", "le(", func(n, want int) bool { return n <= want }},
		{">", "gt(", func(n, want int) bool { return n > want }}, {"<", "lt(", func(n, want int) bool { return n < want }},
		{"", "", func(n, want int) bool { return n == want }},
	}
	for _, op := range ops {
		digits, ok := strings.CutPrefix(text, op.sign)
		if op.word != "" && strings.HasPrefix(text, op.word) {
			digits, ok = strings.CutSuffix(strings.TrimPrefix(text, op.word), ")")
		}
		if !ok {
			continue
		}
		want, err := strconv.Atoi(digits)
		if err != nil {
			return nil, eserr.NumberFormat(`For input string: "` + digits + `"`)
		}
		return func(n int) bool { return op.ok(n, want) }, nil
	}
	return nil, eserr.NumberFormat(`For input string: "` + text + `"`)
}

// health is the answer.
type health struct {
	cluster            string
	status             api.HealthStatus
	level              api.Level
	timedOut, missing  bool
	human              bool
	indices            []*metadata.Index
	active, unassigned int
}

// health counts the shards of the indices asked for. An index that does not exist (yet)
// makes it red.
func (c *Cluster) health(ctx context.Context, r *api.ClusterHealthRequest) (*health, error) {
	h := &health{cluster: c.Node.ClusterName, status: api.HealthStatusGreen, level: r.Level}
	opt := metadata.SearchIndices()
	opt.IgnoreUnavailable, opt.ForbidClosed, opt.ExpandClosed, opt.ExpandHidden = false, false, true, true
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := state.Resolve(r.Index, expressions(opt, nil, nil, r.ExpandWildcards))
	if err != nil {
		if e, ok := eserr.As(err); !ok || e.Type != "index_not_found_exception" {
			return nil, err
		}
		h.missing, h.status = true, api.HealthStatusRed
		return h, nil
	}
	for _, f := range found {
		shards, replicas := shardCounts(f.Index)
		h.indices = append(h.indices, f.Index)
		h.active += shards
		h.unassigned += shards * replicas
	}
	if h.unassigned > 0 {
		h.status = api.HealthStatusYellow
	}
	return h, nil
}

// shardCounts are the numbers of shards and of the replicas of each.
func shardCounts(ix *metadata.Index) (shards, replicas int) {
	return ix.Settings.Int("index.number_of_shards", 1), ix.Settings.Int("index.number_of_replicas", 1)
}

// indexHealth is the status of one index.
func indexHealth(ix *metadata.Index) api.HealthStatus {
	if _, replicas := shardCounts(ix); replicas > 0 {
		return api.HealthStatusYellow
	}
	return api.HealthStatusGreen
}

// Status is 408 after the time-out.
func (h *health) Status() int {
	if h.timedOut {
		return 408
	}
	return 200
}

// percent is how much of all shards is active.
func (h *health) percent() float64 {
	if h.active+h.unassigned == 0 {
		return 100
	}
	return 100 * float64(h.active) / float64(h.active+h.unassigned)
}

// AppendJSON writes the answer.
func (h *health) AppendJSON(dst []byte) []byte {
	a := answer.ClusterHealth{
		ClusterName:                 h.cluster,
		Status:                      h.status.String(),
		TimedOut:                    h.timedOut,
		NumberOfNodes:               1,
		NumberOfDataNodes:           1,
		ActivePrimaryShards:         int64(h.active),
		ActiveShards:                int64(h.active),
		UnassignedShards:            int64(h.unassigned),
		ActiveShardsPercentAsNumber: h.percent(),
	}
	if h.human {
		a.TaskMaxWaitingInQueue, a.ActiveShardsPercent = "0s", percentText(h.percent())
	}
	if h.level == api.LevelIndices || h.level == api.LevelShards {
		a.Indices = make([]jsonx.Pair[answer.IndexHealth], len(h.indices))
		for i, ix := range h.indices {
			a.Indices[i] = jsonx.Pair[answer.IndexHealth]{Key: ix.Name, Value: h.index(ix)}
		}
	}
	return a.AppendJSON(dst)
}

func (h *health) index(ix *metadata.Index) answer.IndexHealth {
	shards, replicas := shardCounts(ix)
	a := answer.IndexHealth{
		Status:              indexHealth(ix).String(),
		NumberOfShards:      int64(shards),
		NumberOfReplicas:    int64(replicas),
		ActivePrimaryShards: int64(shards),
		ActiveShards:        int64(shards),
		UnassignedShards:    int64(shards * replicas),
	}
	if h.level != api.LevelShards {
		return a
	}
	for n := range shards {
		a.Shards = append(a.Shards, jsonx.Pair[answer.ShardHealth]{Key: strconv.Itoa(n), Value: answer.ShardHealth{
			Status: a.Status, PrimaryActive: true, ActiveShards: 1, UnassignedShards: int64(replicas)}})
	}
	return a
}

// percentText is a percentage for people.
func percentText(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) + "%" }
