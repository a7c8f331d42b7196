package versus

import (
	"net/http"
	"strings"
)

// explain is the reason of a difference that is meant, "" for any other. Each reason
// stands in docs/differences.md or docs/compatibility.md.
func explain(q Request, right, tested Answer, what string) string {
	switch {
	case tested.Status == http.StatusNotImplemented:
		return "refused by name"
	case right.Status == http.StatusInternalServerError && tested.Status < 500:
		return "an error of the engine's own"
	case strings.Contains(q.Body, `"variable_width_histogram"`) && !strings.Contains(what, "doc_count:"):
		return "sub-aggregations of variable_width_histogram see other buckets' documents there"
	case strings.Contains(q.Body, `"random_sampler"`) && strings.Contains(what, "doc_count: ") && strings.HasSuffix(what, ", not 0"):
		return "a sample that nothing below looks at is not drawn there"
	case strings.Contains(q.Body, `"ip_prefix"`) && strings.HasSuffix(what, ": one more"):
		return "pipelines among the buckets of ip_prefix are not computed there"
	case strings.Contains(q.Body, `"ip_prefix"`) && (strings.Contains(what, "doc_count:") || strings.Contains(q.Body, `"min_doc_count"`)):
		return "ip_prefix counts a document twice there that has a network's addresses before and after another's"
	case strings.Contains(q.Body, `"percentile_ranks"`) && strings.Contains(what, "values.0.0"):
		return "the rank of zero among -0.0 and 0.0"
	case strings.Contains(right.Body, "too_many_buckets_exception") && tested.Status == http.StatusOK:
		return "buckets are counted once more for each level that they are reduced at there"
	case strings.Contains(q.Body, `"histogram"`) && (strings.Contains(what, "bg_count:") || strings.Contains(what, ".hits.hits.")):
		return "a histogram's buckets -0.0 and 0.0 are two until they are merged there: backgrounds are summed, hits are appended"
	case strings.Contains(what, "error") && right.Status == tested.Status && right.Status >= 400:
		return explainError(right, tested)
	}
	return ""
}

// explainError tells errors whose type is the same and whose words alone differ.
func explainError(right, tested Answer) string {
	if strings.Contains(right.Body, "class_cast_exception") {
		return "an error of the engine's own"
	}
	return ""
}
