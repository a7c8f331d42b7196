package ir

import (
	"regexp"
	"sort"

	"postern/spec"
)

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// routes lists every distinct shape of method and path, with all the endpoints that
// have it.
func (b *builder) routes() {
	supported := map[string]*Endpoint{}
	for _, e := range b.out.Endpoints {
		supported[e.Name] = e
	}
	byShape := map[string]*Route{}
	add := func(e *spec.Endpoint, path string, methods []string) {
		for _, method := range methods {
			shape := method + " " + parameter.ReplaceAllString(path, "{}")
			r := byShape[shape]
			if r == nil {
				r = &Route{Method: method, Path: path}
				byShape[shape] = r
				b.out.Routes = append(b.out.Routes, r)
			}
			r.Names = append(r.Names, e.Name)
			if s := supported[e.Name]; s != nil && r.Endpoint == nil {
				r.Endpoint, r.Path = s, path
			}
		}
	}
	for _, e := range b.model.Endpoints {
		for _, u := range e.URLs {
			add(e, u.Path, u.Methods)
		}
	}
	for _, e := range b.model.Endpoints {
		for _, u := range b.amended.Routes[e.Name] {
			b.used["routes "+e.Name] = true
			for _, m := range u.Methods {
				if byShape[m+" "+parameter.ReplaceAllString(u.Path, "{}")] != nil {
					b.fail(&CaughtUp{Line: "routes " + e.Name + " " + m + " " + u.Path})
				}
			}
			add(e, u.Path, u.Methods)
		}
	}
	for _, u := range b.amended.Legacy {
		for _, m := range u.Methods {
			if byShape[m+" "+parameter.ReplaceAllString(u.Path, "{}")] != nil {
				b.fail(&CaughtUp{Line: "legacy " + m + " " + u.Path})
				continue
			}
			b.out.Legacy = append(b.out.Legacy, &Route{Method: m, Path: u.Path})
		}
	}
	for _, r := range b.out.Routes {
		r.Names = distinct(r.Names)
	}
	sort.Slice(b.out.Routes, func(i, j int) bool {
		a, c := b.out.Routes[i], b.out.Routes[j]
		if a.Path != c.Path {
			return a.Path < c.Path
		}
		return a.Method < c.Method
	})
}

func distinct(names []string) []string {
	sort.Strings(names)
	out := names[:0]
	for i, n := range names {
		if i == 0 || n != names[i-1] {
			out = append(out, n)
		}
	}
	return out
}
