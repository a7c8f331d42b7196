package rest

import "postern/internal/eserr"

// legacy are routes of earlier versions that Elasticsearch 8 still knows but does not
// serve: they count where it lists the methods that a path has.
var legacy = []struct{ method, path string }{
	{"POST", "/{index}/{type}"},
	{"GET", "/{index}/{type}/{id}"}, {"POST", "/{index}/{type}/{id}"}, {"PUT", "/{index}/{type}/{id}"},
	{"DELETE", "/{index}/{type}/{id}"}, {"HEAD", "/{index}/{type}/{id}"},
	{"POST", "/{index}/{type}/{id}/_update"}, {"PUT", "/{index}/{type}/{id}/_create"}, {"POST", "/{index}/{type}/{id}/_create"},
	{"GET", "/{index}/{type}/{id}/_source"}, {"HEAD", "/{index}/{type}/{id}/_source"},
	{"GET", "/{index}/{type}/_search"}, {"POST", "/{index}/{type}/_search"}, {"GET", "/{index}/{type}/_count"}, {"POST", "/{index}/{type}/_count"},
	{"GET", "/{index}/{type}/_mget"}, {"POST", "/{index}/{type}/_mget"}, {"GET", "/{index}/{type}/_msearch"}, {"POST", "/{index}/{type}/_msearch"},
	{"POST", "/{index}/{type}/_bulk"}, {"PUT", "/{index}/{type}/_bulk"},
	{"DELETE", "/"},
}

// notServed is the answer to a legacy route.
func notServed(method, rawPath, target string) error {
	if method == "DELETE" && len(segments(rawPath)) == 0 {
		return eserr.ActionValidation("index / indices is missing")
	}
	return &NoHandler{Method: method, Target: target}
}
