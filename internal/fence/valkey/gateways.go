package valkey

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Gateway is one that takes part, or has.
type Gateway struct {
	Owner string
	// Silent is for how long it has not been heard of; negative: never was.
	Silent time.Duration
	// Awaited says that it has not said yet, since the incarnation advanced, which tokens it
	// holds open: until then no answer is served from before or published.
	Awaited bool
}

// Gateways lists those that were heard of or are awaited.
func (f *Fence) Gateways(ctx context.Context) ([]Gateway, error) {
	list, err := f.call(ctx, "gateways", true)
	if err != nil {
		return nil, err
	}
	all := make([]Gateway, len(list))
	for i := range list {
		parts, err := list[i].ToArray()
		if err != nil || len(parts) != 3 {
			return nil, errAnswer
		}
		all[i].Silent = -1
		all[i].Owner, _ = parts[0].ToString()
		if n, err := number(&parts[1]); err == nil {
			all[i].Silent = time.Duration(n) * time.Microsecond
		}
		awaited, err := parts[2].AsInt64()
		if err != nil {
			return nil, unavailable(err)
		}
		all[i].Awaited = awaited == 1
	}
	slices.SortFunc(all, func(a, b Gateway) int { return strings.Compare(a.Owner, b.Owner) })
	return all, nil
}

// Excuse says that a gateway is gone for good and holds nothing open.
func (f *Fence) Excuse(ctx context.Context, owner string) error {
	_, err := f.call(ctx, "excuse", false, owner)
	return err
}

// Renew advances the incarnation, so that nothing that the server remembers counts any more.
func (f *Fence) Renew(ctx context.Context) error {
	e := f.epoch.Load()
	next, owners, err := f.incarnations.Advance(ctx, e.incarnation)
	if err != nil {
		return unavailable(err)
	}
	if _, err := f.call(ctx, "advance", false, append([]string{strconv.FormatUint(next, 10), e.run}, owners...)...); err != nil {
		return err
	}
	return f.join(ctx)
}
