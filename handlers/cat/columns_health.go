package cat

// HealthColumns are the columns of _cat/health.
func HealthColumns() []Column {
	return []Column{
		{Name: "epoch", Aliases: "t,time", Help: "seconds since 1970-01-01 00:00:00"},
		{Name: "timestamp", Aliases: "ts,hms,hhmmss", Help: "time in HH:MM:SS"},
		{Name: "cluster", Aliases: "cl", Help: "cluster name"},
		{Name: "status", Aliases: "st", Help: "health status"},
		{Name: "node.total", Aliases: "nt,nodeTotal", Help: "total number of nodes", Right: true},
		{Name: "node.data", Aliases: "nd,nodeData", Help: "number of nodes that can store data", Right: true},
		{Name: "shards", Aliases: "t,sh,shards.total,shardsTotal", Help: "total number of shards", Right: true},
		{Name: "pri", Aliases: "p,shards.primary,shardsPrimary", Help: "number of primary shards", Right: true},
		{Name: "relo", Aliases: "r,shards.relocating,shardsRelocating", Help: "number of relocating nodes", Right: true},
		{Name: "init", Aliases: "i,shards.initializing,shardsInitializing", Help: "number of initializing nodes", Right: true},
		{Name: "unassign", Aliases: "u,shards.unassigned,shardsUnassigned", Help: "number of unassigned shards", Right: true},
		{Name: "pending_tasks", Aliases: "pt,pendingTasks", Help: "number of pending tasks", Right: true},
		{Name: "max_task_wait_time", Aliases: "mtwt,maxTaskWaitTime", Help: "wait time of longest task pending", Right: true},
		{Name: "active_shards_percent", Aliases: "asp,activeShardsPercent", Help: "active number of shards in percent", Right: true},
	}
}
