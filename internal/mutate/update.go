package mutate

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/store"
)

// decideUpdate lays a partial document over what is there.
func (g *group) decideUpdate(it *item, prior store.Prior) (store.Next, error) {
	o := it.op
	if !prior.Found {
		return g.upsert(it, prior)
	}
	version, err := o.nextVersion(g.ix, prior)
	if err != nil {
		return store.Next{}, err
	}
	shown := g.ix.ShownSource(prior.Source)
	if shown == nil {
		return store.Next{}, eserr.DocumentSourceMissing(g.ix.Name, g.ix.UUID, o.ID)
	}
	old, err := jsonx.Parse(shown)
	if err != nil {
		return store.Next{}, err
	}
	source, changed := merge(make([]byte, 0, len(prior.Source)+64), old, o.Update.Doc)
	if !changed && !o.Update.WriteNoop {
		return store.Next{Action: store.Noop}, nil
	}
	routing := o.Routing
	if routing == "" {
		routing = prior.Routing
	}
	return g.put(it, version, routing, source)
}

// upsert writes the document of an update of what is not there.
func (g *group) upsert(it *item, prior store.Prior) (store.Next, error) {
	o := it.op
	first := o.Update.Upsert
	if o.Update.DocAsUpsert {
		first = o.Update.Doc
	}
	if !first.Exists() {
		return store.Next{}, eserr.DocumentMissing(g.ix.Name, g.ix.UUID, o.ID)
	}
	version, err := o.nextVersion(g.ix, prior)
	if err != nil {
		return store.Next{}, err
	}
	return g.put(it, version, o.Routing, appendRewritten(nil, first))
}

// put parses the new source. New fields make the item wait: the catalog must have them
// before the document, and nothing but the document may be touched here.
func (g *group) put(it *item, version int64, routing string, source []byte) (store.Next, error) {
	doc := new(mapping.Document)
	want, err := parse(g.ix.Mapping, doc, it.op, source, new(jsonx.Tape))
	if err != nil {
		return store.Next{}, err
	}
	if want != nil {
		it.wants = want
		return store.Next{}, errWaiting
	}
	return store.Next{Action: store.Put, Version: version, Routing: routing, Source: source, Doc: doc}, nil
}
