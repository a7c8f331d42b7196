package report

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"slices"
	"strings"
	"text/template"

	"postern/spec"
)

//go:embed page.html page.md
var pages embed.FS

// page is what the templates show.
type page struct {
	Runs         []Run
	Capabilities []capability
	Promises     []promise
	Rows         []row
	Docs         string // where docs/compatibility.md is
}

// capability is a line of totals, one of each run.
type capability struct {
	Name   string
	Totals []Total
}

// row is a case with its outcome in each run; one that a run lacks has no outcome there.
type row struct {
	Case
	Cells []Case
}

// promise is a line of spec/support.yaml, with the cases that exercise it, one of each run.
type promise struct {
	Line, State string
	Totals      []Total
}

// HTML writes one page: totals, promises, a row for each case, a column for each run, each
// difference in full. docs is where docs/compatibility.md is to be found from there.
func HTML(w io.Writer, runs []Run, docs string) error {
	p, err := newPage(runs, docs)
	if err != nil {
		return err
	}
	t, err := htmltemplate.New("page.html").ParseFS(pages, "page.html")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// Markdown writes the same page as Markdown.
func Markdown(w io.Writer, runs []Run, docs string) error {
	p, err := newPage(runs, docs)
	if err != nil {
		return err
	}
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	t, err := template.New("page.md").Funcs(template.FuncMap{"cell": cell.Replace}).ParseFS(pages, "page.md")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

func newPage(runs []Run, docs string) (*page, error) {
	promises, err := promised(runs)
	if err != nil {
		return nil, err
	}
	p := &page{Runs: runs, Promises: promises, Docs: docs}
	rows, folders := map[string]int{}, map[string]int{}
	for i, r := range runs {
		for _, c := range r.Cases {
			n, known := rows[c.Name]
			if !known {
				n = len(p.Rows)
				rows[c.Name] = n
				p.Rows = append(p.Rows, row{Case: c, Cells: make([]Case, len(runs))})
			}
			p.Rows[n].Cells[i] = c
			f, known := folders[c.Capability()]
			if !known {
				f = len(p.Capabilities)
				folders[c.Capability()] = f
				p.Capabilities = append(p.Capabilities, capability{c.Capability(), make([]Total, len(runs))})
			}
			p.Capabilities[f].Totals[i].Add(c.Outcome)
		}
	}
	slices.SortFunc(p.Rows, func(a, b row) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Capabilities, func(a, b capability) int { return strings.Compare(a.Name, b.Name) })
	return p, nil
}

// promised returns the promises of support.yaml that a case of the runs exercises.
func promised(runs []Run) ([]promise, error) {
	support, err := spec.Supported()
	if err != nil {
		return nil, err
	}
	var list []promise
	for kind, entries := range map[string]map[string]spec.Entry{
		"endpoint": support.Endpoints, "query": support.Queries, "aggregation": support.Aggregations, "mapping": support.Mappings,
	} {
		for name, e := range entries {
			p := promise{Line: kind + " " + name, State: strings.TrimSuffix(e.State.String()+": "+e.Why, ": "), Totals: make([]Total, len(runs))}
			asked := false
			for i, r := range runs {
				for _, c := range r.Cases {
					if slices.Contains(c.Covers, p.Line) {
						p.Totals[i].Add(c.Outcome)
						asked = true
					}
				}
			}
			if asked {
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b promise) int { return strings.Compare(a.Line, b.Line) })
	return list, nil
}
