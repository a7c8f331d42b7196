package metadata

import (
	"strconv"
	"time"
)

// ForPeople adds to the settings what ?human asks for: the time of creation and the
// version as text.
func (s Settings) ForPeople() Settings {
	var more []string
	if text, ok := s.Get("index.creation_date"); ok {
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
			more = append(more, "index.creation_date_string", time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
		}
	}
	if text, ok := s.Get("index.version.created"); ok {
		more = append(more, "index.version.created_string", createdName+"["+text+"]")
	}
	return s.With(NewSettings(more...))
}

// createdName is how Elasticsearch names createdVersion.
const createdName = "8.14.4-snapshot"
