package emit

import "postern/generator/ir"

// comments say what each generated package is.
var comments = map[string]string{
	"query":  "Package query holds the query DSL as far as it is supported: one type for each clause, and the decoders that read them as Elasticsearch does.",
	"aggs":   "Package aggs holds the aggregations that are supported and the decoders that read them as Elasticsearch does.",
	"api":    "Package api holds the requests to the supported endpoints: path, URL parameters and body, and the decoders that read them as Elasticsearch does.",
	"answer": "Package answer holds the objects that are sent, which append themselves as JSON with their members in Elasticsearch's order.",
}

// docs writes the comment of each package.
func docs(p *ir.Program) []Source {
	var files []Source
	for _, pkg := range sorted(comments) {
		e := newEmitter(p, pkg)
		e.f.PackageComment(comments[pkg])
		files = append(files, e.done("doc"))
	}
	return files
}
