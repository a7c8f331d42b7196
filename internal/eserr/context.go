package eserr

import (
	"net/http"
	"strconv"
	"time"
)

// ContextMissing is the 404 of a scroll or point in time that is no more.
func ContextMissing(id uint64) *Error {
	cause := &Error{Status: http.StatusNotFound, Type: "search_context_missing_exception",
		Reason: "No search context found for id [" + strconv.FormatUint(id, 10) + "]"}
	return SearchPhase("query", []ShardFailure{{Shard: NoShard, Cause: cause}})
}

// TooManyScrolls is the 429 of a scroll beyond search.max_open_scroll_context.
func TooManyScrolls(limit int) *Error {
	return &Error{Status: http.StatusTooManyRequests, Type: "too_many_scroll_contexts_exception",
		Reason: "Trying to create too many scroll contexts. Must be less than or equal to: [" + strconv.Itoa(limit) +
			"]. This limit can be set by changing the [search.max_open_scroll_context] setting."}
}

// KeepAliveTooLarge is the 400 of a scroll or point in time that is to be kept open for
// longer than search.max_keep_alive.
func KeepAliveTooLarge(asked, most time.Duration) *Error {
	return IllegalArgument("Keep alive for request (%s) is too large. It must be less than (%s). This limit can be set by changing the [search.max_keep_alive] cluster level setting.",
		timeText(asked), timeText(most))
}

// NoShardAvailable is the 503 of an index that a point in time has seen and that is no
// more.
func NoShardAvailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Type: "no_shard_available_action_exception", Mute: true}
}

// timeText is a time as Elasticsearch prints it: in the largest unit, with one digit
// behind the point, unless that is 0.
func timeText(d time.Duration) string {
	for _, u := range [...]struct {
		name string
		d    time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"micros", time.Microsecond}} {
		if d >= u.d {
			tenths := int64(d / (u.d / 10))
			if tenths%10 == 0 {
				return strconv.FormatInt(tenths/10, 10) + u.name
			}
			return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + "nanos"
}
