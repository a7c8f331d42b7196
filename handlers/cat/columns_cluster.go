package cat

// TemplatesColumns are the columns of _cat/templates.
func TemplatesColumns() []Column {
	return []Column{
		{Name: "name", Aliases: "n", Help: "template name"},
		{Name: "index_patterns", Aliases: "t", Help: "template index patterns"},
		{Name: "order", Aliases: "o,p", Help: "template application order/priority number"},
		{Name: "version", Aliases: "v", Help: "version"},
		{Name: "composed_of", Aliases: "c", Help: "component templates comprising index template"},
	}
}

// PluginsColumns are the columns of _cat/plugins.
func PluginsColumns() []Column {
	return []Column{
		{Name: "id", Help: "unique node id", Extra: true},
		{Name: "name", Aliases: "n", Help: "node name"},
		{Name: "component", Aliases: "c", Help: "component"},
		{Name: "version", Aliases: "v", Help: "component version"},
		{Name: "description", Aliases: "d", Help: "plugin details", Extra: true},
	}
}

// NodeAttrsColumns are the columns of _cat/nodeattrs.
func NodeAttrsColumns() []Column {
	return []Column{
		{Name: "node", Aliases: "name", Help: "node name"},
		{Name: "id", Aliases: "id,nodeId", Help: "unique node id", Extra: true},
		{Name: "pid", Aliases: "p", Help: "process id", Extra: true},
		{Name: "host", Aliases: "h", Help: "host name"},
		{Name: "ip", Aliases: "i", Help: "ip address"},
		{Name: "port", Aliases: "po", Help: "bound transport port", Extra: true},
		{Name: "attr", Aliases: "attr.name", Help: "attribute description"},
		{Name: "value", Aliases: "attr.value", Help: "attribute value"},
	}
}

// PendingTasksColumns are the columns of _cat/pending_tasks.
func PendingTasksColumns() []Column {
	return []Column{
		{Name: "insertOrder", Aliases: "o", Help: "task insertion order", Right: true},
		{Name: "timeInQueue", Aliases: "t", Help: "how long task has been in queue", Right: true},
		{Name: "priority", Aliases: "p", Help: "task priority"},
		{Name: "source", Aliases: "s", Help: "task source"},
	}
}

// MasterColumns are the columns of _cat/master.
func MasterColumns() []Column {
	return []Column{
		{Name: "id", Help: "node id"},
		{Name: "host", Aliases: "h", Help: "host name"},
		{Name: "ip", Help: "ip address "},
		{Name: "node", Aliases: "n", Help: "node name"},
	}
}
