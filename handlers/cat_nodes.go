package handlers

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
)

// CatNodes answers _cat/nodes. Figures that Postern does not keep are empty.
func (c *Cluster) CatNodes(_ context.Context, r *api.CatNodesRequest) (routes.Answer, error) {
	n := c.Node
	id := n.ID
	if (r.FullID == nil || !*r.FullID) && len(id) > 4 {
		id = id[:4]
	}
	_, port, _ := net.SplitHostPort(n.Address)
	cells := map[string]cat.Cell{
		"id": cat.Text(id), "pid": cat.Text(strconv.Itoa(os.Getpid())), "ip": cat.Text(n.IP), "port": cat.Text(port), "http_address": cat.Text(n.Address),
		"version": cat.Text(apiVersion), "type": cat.Text(buildType), "build": cat.Text(revision()), "jdk": cat.Text(runtime.Version()),
		"uptime": cat.Time(time.Since(n.Started)), "node.role": cat.Text(nodeRoleInitials), "master": cat.Text("*"), "name": cat.Text(n.Name),
	}
	heap := heapBytes()
	cells["heap.current"] = cat.Size(heap)
	if n.MemoryLimit > 0 {
		cells["heap.max"], cells["heap.percent"] = cat.Size(n.MemoryLimit), cat.Int(100*heap/n.MemoryLimit)
	}
	if total, available := machineMemory(); total > 0 {
		cells["ram.current"], cells["ram.max"] = cat.Size(total-available), cat.Size(total)
		cells["ram.percent"] = cat.Int(100 * (total - available) / total)
	}
	for i, load := range loadAverages() {
		cells[[]string{"load_1m", "load_5m", "load_15m"}[i]] = cat.Text(load)
	}
	if total, available, ok := diskSpace(n.DataPath); ok && total > 0 {
		cells["disk.total"], cells["disk.avail"], cells["disk.used"] = cat.Size(total), cat.Size(available), cat.Size(total-available)
		cells["disk.used_percent"] = cat.Text(fmt.Sprintf("%.2f", 100*float64(total-available)/float64(total)))
	}
	columns := cat.NodesColumns()
	row := make([]cat.Cell, len(columns))
	for i, col := range columns {
		row[i] = cells[col.Name]
	}
	table := &cat.Table{Columns: columns, Rows: [][]cat.Cell{row}}
	return table.View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// machineMemory reads Linux's figures; elsewhere they are 0.
func machineMemory() (total, available int64) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "MemTotal:":
			total = kb << 10
		case "MemAvailable:":
			available = kb << 10
		}
	}
	return total, available
}

// loadAverages are Linux's three; elsewhere none.
func loadAverages() []string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	if f := strings.Fields(string(b)); len(f) >= 3 {
		return f[:3]
	}
	return nil
}
