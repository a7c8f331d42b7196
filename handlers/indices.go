package handlers

import (
	"context"
	"strconv"
	"time"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/readers"
	"postern/internal/store"
	"postern/internal/xcontent"
)

// Indices are the endpoints of indices, their mappings, settings and aliases, and of index
// templates.
type Indices struct {
	// State gives the metadata as they are now; a request takes them once.
	State     func(context.Context) (*metadata.State, error)
	Documents store.Documents
	Mutator   *mutate.Mutator
	// Contexts are the scrolls and points in time; those of a deleted index end with it.
	Contexts *readers.Contexts
	// ClearAnswers drops the answers that are kept; nil where none are.
	ClearAnswers func(context.Context) error
}

// expressions are the parameters by which a request says how its index expression is read.
func expressions(o metadata.IndicesOptions, ignoreUnavailable, allowNoIndices *bool, expand []api.ExpandWildcard) metadata.IndicesOptions {
	var words []string
	for _, e := range expand {
		words = append(words, e.String())
	}
	return o.With(ignoreUnavailable, allowNoIndices, words)
}

// find resolves an expression and checks that the access is allowed to all it leads to.
func (i *Indices) find(ctx context.Context, exprs []string, o metadata.IndicesOptions, access metadata.Access) ([]*metadata.Index, error) {
	state, err := i.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := state.Resolve(exprs, o)
	if err != nil {
		return nil, err
	}
	indices := make([]*metadata.Index, len(found))
	for n, r := range found {
		if err := r.Index.Allow(access); err != nil {
			return nil, err
		}
		indices[n] = r.Index
	}
	return indices, nil
}

// byIndex appends an object with a member for each index. Elasticsearch gives them in an
// order that is another one at each start.
func byIndex(dst []byte, indices []*metadata.Index, part func(dst []byte, ix *metadata.Index) []byte) []byte {
	dst = append(dst, '{')
	for n, ix := range indices {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, ix.Name), ':')
		dst = part(dst, ix)
	}
	return append(dst, '}')
}

// acknowledged is the plain success.
func acknowledged() rawJSON { return rawJSON(`{"acknowledged":true}`) }

// activeShards waits for the copies of a new index that a request asks for, and tells
// whether they are there: there is one of each shard, so that more than one never are.
func activeShards(ix *metadata.Index, wanted string, timeout *xcontent.Duration) (func() bool, error) {
	copies := copiesOf(ix)
	n := 1
	switch {
	case wanted == "" || wanted == "-1":
	case wanted == "all":
		n = copies
	default:
		var err error
		if n, err = strconv.Atoi(wanted); err != nil {
			return nil, eserr.IllegalArgument("cannot parse ActiveShardCount[%s]", wanted).
				Cause(eserr.NumberFormat(`For input string: "` + wanted + `"`))
		}
		if n > copies {
			return nil, eserr.IllegalArgument("invalid wait_for_active_shards[%d]: cannot be greater than number of shard copies [%d]", n, copies)
		}
	}
	return func() bool {
		if n <= 1 {
			return true
		}
		wait := 30 * time.Second
		if timeout != nil {
			wait = timeout.D
		}
		time.Sleep(max(wait, 0))
		return false
	}, nil
}
