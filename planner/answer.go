package planner

import (
	"strconv"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Answer is the result of a search. It encodes itself in Elasticsearch's field order.
type Answer struct {
	// ScrollID and PointID name what the search left open; empty where it did not.
	ScrollID, PointID string

	TookMillis int64
	TimedOut   bool
	// TerminatedEarly is nil unless the request bounded how much is collected.
	TerminatedEarly *bool
	Shards          Shards
	Total           Total
	// MaxScore is nil where hits carry no scores.
	MaxScore *float32
	Hits     []Hit
	// Aggregations is the encoded object, nil for a search without aggregations.
	Aggregations []byte
	Profile      []byte

	// TotalAsInt is rest_total_hits_as_int.
	TotalAsInt bool

	// kept is the JSON behind the time it took, of an answer that was made before; hits and
	// aggregations are then nowhere else.
	kept []byte
}

// Shards tells how many indices (of one shard each) took part.
type Shards struct {
	Total, Failed int
	// Skipped are those that succeeded without being searched.
	Skipped  int
	Failures []eserr.ShardFailure
}

// Total is the number of matches: all of them, or a lower bound.
type Total struct {
	Tracked bool
	Value   int64
	AtLeast bool
}

// Hit is one document of the page, complete.
type Hit struct {
	Index, ID string
	// NoID leaves the identity out (stored_fields _none_).
	NoID bool
	// Nested tells which nested object of the document it is, encoded; nil: the whole.
	Nested      []byte
	Version     int64 // -1: not asked
	SeqNo       int64 // -1: not asked
	PrimaryTerm int64
	Score       *float32
	Ignored     []string
	Routing     string
	Source      []byte // nil: left out
	Fields      []byte // the encoded object, nil: left out
	// IgnoredValues is the encoded ignored_field_values, nil: left out.
	IgnoredValues []byte
	Sort          []byte // the encoded array, nil: left out
	Matched       []string
	Scores        []float32 // of Matched, with include_named_queries_score
}

// AppendJSON appends the answer.
func (a *Answer) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if a.ScrollID != "" {
		dst = append(jsonx.AppendString(append(dst, `"_scroll_id":`...), a.ScrollID), ',')
	}
	if a.PointID != "" {
		dst = append(jsonx.AppendString(append(dst, `"pit_id":`...), a.PointID), ',')
	}
	dst = append(dst, `"took":`...)
	return a.appendBehindTook(strconv.AppendInt(dst, a.TookMillis, 10))
}

func (a *Answer) appendBehindTook(dst []byte) []byte {
	if a.kept != nil {
		return append(dst, a.kept...)
	}
	dst = append(dst, `,"timed_out":`...)
	dst = strconv.AppendBool(dst, a.TimedOut)
	if a.TerminatedEarly != nil {
		dst = append(dst, `,"terminated_early":`...)
		dst = strconv.AppendBool(dst, *a.TerminatedEarly)
	}
	dst = append(dst, `,"_shards":`...)
	dst = a.Shards.AppendJSON(dst)
	dst = append(dst, `,"hits":{`...)
	dst = a.appendTotal(dst)
	dst = append(dst, `"max_score":`...)
	dst = appendScore(dst, a.MaxScore)
	dst = append(dst, `,"hits":[`...)
	for i := range a.Hits {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = a.Hits[i].AppendJSON(dst)
	}
	dst = append(dst, `]}`...)
	if a.Aggregations != nil {
		dst = append(dst, `,"aggregations":`...)
		dst = append(dst, a.Aggregations...)
	}
	if a.Profile != nil {
		dst = append(dst, `,"profile":`...)
		dst = append(dst, a.Profile...)
	}
	return append(dst, '}')
}

func (a *Answer) appendTotal(dst []byte) []byte {
	switch t := a.Total; {
	case a.TotalAsInt && !t.Tracked:
		return append(dst, `"total":-1,`...)
	case !t.Tracked:
		return dst
	case a.TotalAsInt:
		dst = strconv.AppendInt(append(dst, `"total":`...), t.Value, 10)
		return append(dst, ',')
	default:
		dst = strconv.AppendInt(append(dst, `"total":{"value":`...), t.Value, 10)
		if t.AtLeast {
			return append(dst, `,"relation":"gte"},`...)
		}
		return append(dst, `,"relation":"eq"},`...)
	}
}

// AppendJSON appends the _shards object.
func (s *Shards) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"total":`...), int64(s.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"successful":`...), int64(s.Total-s.Failed), 10)
	dst = strconv.AppendInt(append(dst, `,"skipped":`...), int64(s.Skipped), 10)
	dst = strconv.AppendInt(append(dst, `,"failed":`...), int64(s.Failed), 10)
	if len(s.Failures) > 0 {
		dst = append(dst, `,"failures":[`...)
		for i, f := range s.Failures {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f.AppendJSON(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendScore(dst []byte, s *float32) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return jsonx.AppendFloat32(dst, *s)
}

// AppendJSON appends the hit.
func (h *Hit) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"_index":`...)
	dst = jsonx.AppendString(dst, h.Index)
	if !h.NoID {
		dst = append(dst, `,"_id":`...)
		dst = jsonx.AppendString(dst, h.ID)
	}
	if h.Nested != nil {
		dst = append(append(dst, `,"_nested":`...), h.Nested...)
	}
	if h.Version >= 0 {
		dst = strconv.AppendInt(append(dst, `,"_version":`...), h.Version, 10)
	}
	if h.SeqNo >= 0 {
		dst = strconv.AppendInt(append(dst, `,"_seq_no":`...), h.SeqNo, 10)
		dst = strconv.AppendInt(append(dst, `,"_primary_term":`...), h.PrimaryTerm, 10)
	}
	dst = append(dst, `,"_score":`...)
	dst = appendScore(dst, h.Score)
	if len(h.Ignored) > 0 {
		dst = appendStrings(append(dst, `,"_ignored":`...), h.Ignored)
	}
	if h.Routing != "" {
		dst = append(dst, `,"_routing":`...)
		dst = jsonx.AppendString(dst, h.Routing)
	}
	if h.Source != nil {
		dst = append(dst, `,"_source":`...)
		dst = append(dst, h.Source...)
	}
	if h.Fields != nil {
		dst = append(dst, `,"fields":`...)
		dst = append(dst, h.Fields...)
	}
	if h.IgnoredValues != nil {
		dst = append(dst, `,"ignored_field_values":`...)
		dst = append(dst, h.IgnoredValues...)
	}
	if h.Sort != nil {
		dst = append(dst, `,"sort":`...)
		dst = append(dst, h.Sort...)
	}
	if len(h.Matched) > 0 {
		dst = append(dst, `,"matched_queries":`...)
		dst = h.appendMatched(dst)
	}
	return append(dst, '}')
}

func (h *Hit) appendMatched(dst []byte) []byte {
	if h.Scores == nil {
		return appendStrings(dst, h.Matched)
	}
	dst = append(dst, '{')
	for i, name := range h.Matched {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, name), ':')
		dst = jsonx.AppendFloat32(dst, h.Scores[i])
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, s)
	}
	return append(dst, ']')
}
