package handlers

import "time"

// isoMillis is a time as Elasticsearch writes it for people.
func isoMillis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
