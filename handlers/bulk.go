package handlers

import (
	"context"
	"time"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mutate"
)

// Bulk carries out many operations; each that fails answers its own error.
func (d *Docs) Bulk(ctx context.Context, r *api.BulkRequest) (routes.Answer, error) {
	start := time.Now()
	items, err := parseBulk(r)
	if err != nil {
		return nil, err
	}
	if len(items) > 0 {
		if err := d.waitForActiveShards(ctx, items[0].op.Index, r.WaitForActiveShards, durationOf(r.Timeout)); err != nil {
			return nil, err
		}
	}
	ops := make([]mutate.Op, len(items))
	for i := range items {
		ops[i] = items[i].op
	}
	outcomes, err := d.Mutator.Apply(ctx, ops, refreshOf(r.Refresh))
	if err != nil {
		return nil, err
	}
	a := &answer.Bulk{Items: make([]jsonx.Pair[answer.Write], len(items))}
	for i := range items {
		it := &items[i]
		p := &a.Items[i]
		p.Key = it.op.Action.String()
		if p.Value, err = it.answer(&outcomes[i], r.Refresh); err != nil {
			return nil, err
		}
		a.Errors = a.Errors || p.Value.Error != nil
	}
	a.Took = time.Since(start).Milliseconds()
	return a, nil
}

// bulkItem is one operation of a bulk and what of its document is answered.
type bulkItem struct {
	op      mutate.Op
	show    bool // an update answers its source
	enabled *bool
	in, ex  []string
}

func (it *bulkItem) answer(o *mutate.Outcome, refresh api.Refresh) (answer.Write, error) {
	if o.Err != nil {
		e, ok := eserr.As(o.Err)
		if !ok {
			return answer.Write{}, o.Err
		}
		status := int64(e.Status)
		name := it.op.Index
		if o.Index != nil {
			name = o.Index.Name
		}
		w := answer.Write{Index: name, Status: &status, Error: itemCause{e}}
		if o.ID != "" || it.op.GivenID {
			w.ID = &o.ID
		}
		return w, nil
	}
	w := writeAnswer(o, refresh)
	status := int64(o.Status())
	w.Status = &status
	if it.show {
		var err error
		if w.Get, err = inlineGet(o, it.enabled, it.in, it.ex); err != nil {
			return w, err
		}
	}
	return w, nil
}
