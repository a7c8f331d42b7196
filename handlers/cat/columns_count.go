package cat

// CountColumns are the columns of _cat/count.
func CountColumns() []Column {
	return []Column{
		{Name: "epoch", Aliases: "t,time", Help: "seconds since 1970-01-01 00:00:00"},
		{Name: "timestamp", Aliases: "ts,hms,hhmmss", Help: "time in HH:MM:SS"},
		{Name: "count", Aliases: "dc,docs.count,docsCount", Help: "the document count"},
	}
}
