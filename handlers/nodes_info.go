package handlers

import (
	"context"
	"net"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/jsonx"
)

// NodesInfo answers _nodes: the one node, with the parts asked for.
func (c *Cluster) NodesInfo(_ context.Context, r *api.NodesInfoRequest) (routes.Answer, error) {
	ids, metrics := r.NodeID, r.Metric
	// One part of the path may name nodes or metrics.
	if len(metrics) == 0 && len(ids) > 0 && allMetrics(ids) {
		ids, metrics = nil, ids
	}
	flat := r.FlatSettings != nil && *r.FlatSettings
	a := &answer.NodesInfo{Summary: &answer.NodeStatistics{}, ClusterName: c.Node.ClusterName}
	if c.Node.matches(ids) {
		a.Summary.Total, a.Summary.Successful = 1, 1
		a.Nodes = []jsonx.Pair[answer.NodeInfo]{{Key: c.Node.ID, Value: c.Node.info(metrics, flat)}}
	}
	return a, nil
}

// nodeMetrics are Elasticsearch's names of the parts of a node's info.
const nodeMetrics = ",settings,os,process,jvm,thread_pool,transport,http,plugins,ingest,aggregations,indices,remote_cluster_server,_all,"

func allMetrics(words []string) bool {
	for _, w := range words {
		if w == "_all" && len(words) == 1 || !strings.Contains(nodeMetrics, ","+w+",") {
			return false
		}
	}
	return true
}

// matches reads a list of node filters: ids, names, addresses, _local, _master, _all,
// and role:true or role:false; the last that says something of this node wins.
func (n *Node) matches(filters []string) bool {
	if len(filters) == 0 {
		return true
	}
	found := false
	for _, f := range filters {
		switch f {
		case "_all", "*", "_local", "_master":
			found = true
			continue
		}
		if role, flag, ok := strings.Cut(f, ":"); ok {
			has := slices.Contains(nodeRoles, role)
			switch {
			case flag == "true" && has:
				found = true
			case flag == "false" && has:
				found = false
			}
			continue
		}
		for _, own := range []string{n.ID, n.Name, n.Host, n.IP, n.Address} {
			if ok, _ := path.Match(f, own); ok {
				found = true
			}
		}
	}
	return found
}

// info is the node with the parts asked for.
func (n *Node) info(metrics []string, flat bool) answer.NodeInfo {
	wants := func(metric string) bool {
		return len(metrics) == 0 || slices.Contains(metrics, metric) || slices.Contains(metrics, "_all")
	}
	a := answer.NodeInfo{
		Name:             n.Name,
		TransportAddress: n.Address,
		Host:             n.Host,
		IP:               n.IP,
		Version:          apiVersion,
		TransportVersion: transportVersion,
		IndexVersion:     indexVersion,
		BuildFlavor:      buildFlavor,
		BuildType:        buildType,
		BuildHash:        revision(),
		Roles:            nodeRoles,
	}
	if wants("settings") {
		a.Settings = n.settings(flat)
	}
	if wants("os") {
		cpus := int64(runtime.NumCPU())
		a.Os = members{{"refresh_interval_in_millis", 1000}, {"name", operatingSystem()}, {"pretty_name", operatingSystem()}, {"arch", runtime.GOARCH},
			{"version", kernelVersion()}, {"available_processors", cpus}, {"allocated_processors", int64(runtime.GOMAXPROCS(0))}}
	}
	if wants("process") {
		a.Process = members{{"refresh_interval_in_millis", 1000}, {"id", int64(os.Getpid())}, {"mlockall", false}}
	}
	if wants("jvm") {
		// There is no JVM; clients that read the member find the Go runtime in it.
		a.Jvm = members{{"pid", int64(os.Getpid())}, {"version", runtime.Version()}, {"vm_name", "Go"}, {"vm_version", runtime.Version()}, {"vm_vendor", "The Go Authors"},
			{"using_bundled_jdk", true}, {"start_time_in_millis", n.Started.UnixMilli()},
			{"mem", members{{"heap_init_in_bytes", 0}, {"heap_max_in_bytes", n.MemoryLimit}, {"non_heap_init_in_bytes", 0}, {"non_heap_max_in_bytes", 0}, {"direct_max_in_bytes", 0}}},
			{"gc_collectors", []string{"Go"}}, {"memory_pools", []string{}}, {"using_compressed_ordinary_object_pointers", "false"}, {"input_arguments", []string{}}}
	}
	if wants("thread_pool") {
		a.ThreadPool = []jsonx.Pair[jsonx.Appender]{}
	}
	if wants("transport") {
		a.Transport = members{{"bound_address", []string{n.Address}}, {"publish_address", n.Address}, {"profiles", members{}}}
	}
	if wants("http") {
		a.HTTP = &answer.NodeInfoHttp{BoundAddress: []string{n.Address}, PublishAddress: n.Address, MaxContentLengthInBytes: n.MaxBody}
	}
	if wants("plugins") {
		a.Plugins, a.Modules = []jsonx.Appender{}, []jsonx.Appender{}
	}
	if wants("ingest") {
		a.Ingest = members{{"processors", []string{}}}
	}
	if wants("aggregations") {
		a.Aggregations = []jsonx.Pair[jsonx.Appender]{}
	}
	return a
}

// settings are those that Postern has of Elasticsearch's node settings.
func (n *Node) settings(flat bool) members {
	_, port, _ := net.SplitHostPort(n.Address)
	all := members{{"cluster.name", n.ClusterName}, {"discovery.type", "single-node"}, {"http.port", port},
		{"network.host", n.Host}, {"node.name", n.Name}, {"path.data", n.DataPath}}
	if n.DataPath == "" {
		all = all[:len(all)-1] // the documents are elsewhere
	}
	if flat {
		return all
	}
	for i, m := range all {
		group, name, _ := strings.Cut(m.name, ".")
		all[i] = member{group, members{{name, m.value}}}
	}
	return all
}

// operatingSystem is the system's name as Java has it.
func operatingSystem() string {
	switch runtime.GOOS {
	case "linux":
		return "Linux"
	case "darwin":
		return "Mac OS X"
	}
	return runtime.GOOS
}

func kernelVersion() string {
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(b))
}
