package mutate

import (
	"context"
	"errors"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
)

// wantedMapping is the additional mapping that a document asks for.
type wantedMapping struct{ update jsonx.Value }

// prepare parses the documents of all items, outside of any lock. New fields that they
// bring are collected and stored in the catalog at once, before any document that needs
// them; documents meanwhile are parsed as if they were there.
func (g *group) prepare(ctx context.Context) error {
	for {
		additions, err := g.parseAll()
		if err != nil || len(additions) == 0 {
			return err
		}
		next, err := g.m.addFields(ctx, g.ix, additions)
		if err == nil {
			g.ix = next
			return nil
		}
		// Somebody else has mapped one of the fields otherwise since: parse again under
		// the mapping as it is now, so that the error falls on the right document.
		now, loadErr := g.reload(ctx)
		switch {
		case loadErr != nil:
			return loadErr
		case now.MappingVersion == g.ix.MappingVersion:
			return err
		}
		g.ix = now
	}
}

// reload is the index as it is now.
func (g *group) reload(ctx context.Context) (*metadata.Index, error) {
	state, err := g.m.Catalog.Load(ctx)
	if err != nil {
		return nil, err
	}
	ix := state.IndexByUUID(g.ix.UUID)
	if ix == nil {
		return nil, eserr.IndexNotFound(g.ix.Name, "")
	}
	return ix, nil
}

// parseAll parses every document under the mapping and the additions of those before it.
func (g *group) parseAll() ([]jsonx.Value, error) {
	var additions []jsonx.Value
	var tape jsonx.Tape
	m := g.ix.Mapping
	for _, it := range g.items {
		if it.op.Action > Create {
			continue
		}
		it.out.Err = nil
		doc := new(mapping.Document)
		for {
			want, err := parse(m, doc, it.op, it.op.Source, &tape)
			if err == nil && want == nil {
				it.doc = doc
				break
			}
			var grown *mapping.Mapping
			if err == nil {
				grown, err = m.Merge(want.update)
			}
			if err != nil {
				if _, said := eserr.As(err); !said {
					return nil, err
				}
				it.out.Err = err
				break
			}
			m, additions = grown, append(additions, want.update)
		}
	}
	return additions, nil
}

// parse turns a source into columns. A source that brings new fields gives what is to be
// added to the mapping instead.
func parse(m *mapping.Mapping, doc *mapping.Document, o *Op, source []byte, tape *jsonx.Tape) (*wantedMapping, error) {
	v, broken, err := parseSource(tape, source)
	if err != nil {
		return nil, err
	}
	update, err := m.ParseDocument(doc, o.ID, o.Routing, v)
	if broken != nil && (err == nil || v.Reached()) {
		return nil, broken
	}
	if err != nil || !update.Exists() {
		return nil, err
	}
	return &wantedMapping{update}, nil
}

// parseSource reads a source as JSON; its errors are those of a document. Of a source that
// stops being JSON it gives what stands before that, and as broken what is wrong there:
// Elasticsearch complains first of fields that stand before it.
func parseSource(tape *jsonx.Tape, source []byte) (v jsonx.Value, broken, err error) {
	switch firstByte(source) {
	case '{':
	case 0:
		return v, nil, eserr.DocumentParsing(0, 0, "failed to parse, document is empty")
	default:
		return v, nil, eserr.NotXContent()
	}
	v, err = jsonx.ParseReuse(tape, source)
	var s *jsonx.SyntaxError
	if errors.As(err, &s) {
		broken, err = badSource(s), nil
		if v = s.Read(); !v.Exists() {
			err = broken
		}
	}
	return v, broken, err
}

// badSource is Elasticsearch's complaint about a source that is no JSON.
func badSource(s *jsonx.SyntaxError) error {
	if s.Trailing != "" {
		return eserr.IllegalArgument("Malformed content, found extra data after parsing: %s", s.Trailing)
	}
	cause := eserr.SyntaxCause(s)
	if s.Behind {
		return eserr.DocumentParsing(s.Line, s.Col, "%s", cause.Reason).Cause(cause)
	}
	line, col := s.LastToken()
	return eserr.DocumentParsing(line, col, "failed to parse: %s", cause.Reason).Cause(cause)
}

func firstByte(b []byte) byte {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// addFields stores additional mappings of an index, all at once.
func (m *Mutator) addFields(ctx context.Context, ix *metadata.Index, additions []jsonx.Value) (*metadata.Index, error) {
	state, err := m.changeIndex(ctx, ix.UUID, func(s *metadata.State) (*metadata.State, error) {
		next := s
		for _, update := range additions {
			now := next.IndexByUUID(ix.UUID)
			if now == nil {
				return nil, eserr.IndexNotFound(ix.Name, "")
			}
			var err error
			if next, err = next.PutMapping([]*metadata.Index{now}, update); err != nil {
				return nil, err
			}
		}
		return next, nil
	})
	if err != nil {
		return nil, err
	}
	now := state.IndexByUUID(ix.UUID)
	if now == nil {
		return nil, eserr.IndexNotFound(ix.Name, "")
	}
	return now, nil
}

// again adds the fields that the first item left waits for; it fails when it cannot have
// them.
func (g *group) again(ctx context.Context) error {
	if len(g.items) == 0 {
		return nil
	}
	first := g.items[0]
	next, err := g.m.addFields(ctx, g.ix, []jsonx.Value{first.wants.update})
	if err == nil {
		g.ix = next
		return nil
	}
	if _, said := eserr.As(err); !said {
		return err
	}
	first.out.Err = err
	g.drop()
	return nil
}
