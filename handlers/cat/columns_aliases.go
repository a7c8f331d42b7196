package cat

// AliasesColumns are the columns of _cat/aliases.
func AliasesColumns() []Column {
	return []Column{
		{Name: "alias", Aliases: "a", Help: "alias name"},
		{Name: "index", Aliases: "i,idx", Help: "index alias points to"},
		{Name: "filter", Aliases: "f,fi", Help: "filter"},
		{Name: "routing.index", Aliases: "ri,routingIndex", Help: "index routing"},
		{Name: "routing.search", Aliases: "rs,routingSearch", Help: "search routing"},
		{Name: "is_write_index", Aliases: "w,isWriteIndex", Help: "write index"},
	}
}
