package metadata

import "time"

// IndicesOptions says how an index expression is read. Each endpoint begins with one of
// the presets below; With lays the request's parameters over it.
type IndicesOptions struct {
	// IgnoreUnavailable passes missing (and, with ForbidClosed, closed) indices by.
	IgnoreUnavailable bool
	// AllowNoIndices takes wildcards that match nothing.
	AllowNoIndices bool
	// ExpandOpen, ExpandClosed and ExpandHidden are what wildcards match.
	ExpandOpen, ExpandClosed, ExpandHidden bool
	// ForbidClosed refuses closed indices.
	ForbidClosed bool
	// IgnoreAliases refuses names of aliases, and wildcards do not match them.
	IgnoreAliases bool
	// SingleIndex refuses aliases of several indices.
	SingleIndex bool
	// Now is what date math names count from; zero stands for the clock.
	Now time.Time
}

// SearchIndices is for reads of documents: searches, counts, refresh, flush.
func SearchIndices() IndicesOptions {
	return IndicesOptions{AllowNoIndices: true, ExpandOpen: true, ForbidClosed: true}
}

// ReadMetadata is for reading mappings and whole indices.
func ReadMetadata() IndicesOptions {
	return IndicesOptions{AllowNoIndices: true, ExpandOpen: true}
}

// ReadSettings is for reading settings, which closed indices have too.
func ReadSettings() IndicesOptions {
	return IndicesOptions{AllowNoIndices: true, ExpandOpen: true, ExpandClosed: true}
}

// ReadAliases is for reading aliases, of hidden indices too.
func ReadAliases() IndicesOptions {
	return IndicesOptions{AllowNoIndices: true, ExpandOpen: true, ExpandClosed: true, ExpandHidden: true}
}

// ChangeMapping is for changes of mappings.
func ChangeMapping() IndicesOptions {
	return IndicesOptions{ExpandOpen: true, ExpandClosed: true}
}

// ChangeSettings is for changes of settings.
func ChangeSettings() IndicesOptions { return IndicesOptions{ExpandOpen: true, ExpandClosed: true} }

// DeleteIndices is for deletions, which name indices and never aliases.
func DeleteIndices() IndicesOptions {
	return IndicesOptions{AllowNoIndices: true, ExpandOpen: true, ExpandClosed: true, IgnoreAliases: true}
}

// OneIndex is for reads and writes of single documents.
func OneIndex() IndicesOptions {
	return IndicesOptions{ForbidClosed: true, SingleIndex: true}
}

// With lays a request's parameters over the options. expand are the words of
// expand_wildcards: all, open, closed, hidden, none; nil leaves wildcards as they are.
func (o IndicesOptions) With(ignoreUnavailable, allowNoIndices *bool, expand []string) IndicesOptions {
	if ignoreUnavailable != nil {
		o.IgnoreUnavailable = *ignoreUnavailable
	}
	if allowNoIndices != nil {
		o.AllowNoIndices = *allowNoIndices
	}
	if expand == nil {
		return o
	}
	o.ExpandOpen, o.ExpandClosed, o.ExpandHidden = false, false, false
	for _, word := range expand {
		switch word {
		case "open":
			o.ExpandOpen = true
		case "closed":
			o.ExpandClosed = true
		case "hidden":
			o.ExpandHidden = true
		case "all":
			o.ExpandOpen, o.ExpandClosed, o.ExpandHidden = true, true, true
		case "none":
			o.ExpandOpen, o.ExpandClosed, o.ExpandHidden = false, false, false
		}
	}
	return o
}

func (o IndicesOptions) now() time.Time {
	if o.Now.IsZero() {
		return time.Now()
	}
	return o.Now
}

func (o IndicesOptions) wildcards() bool { return o.ExpandOpen || o.ExpandClosed }
