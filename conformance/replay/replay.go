package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// ErrNoData says that a scenario asks about a data set that can't be loaded here.
var ErrNoData = errors.New("the data set is not available")

// Failure is one exchange whose answer is not the recorded one.
type Failure struct {
	Exchange int // from 1
	Line     int // in the file
	Request  string
	Diffs    []string
}

func (f Failure) String() string {
	text := fmt.Sprintf("#%d, line %d: %s", f.Exchange, f.Line, f.Request)
	for _, d := range f.Diffs {
		text += "\n    " + d
	}
	return text
}

// Replay runs the scenario and returns the exchanges that differ. Later exchanges are
// asked even so. The error is about the run: the engine is away, data is missing.
func (t Target) Replay(ctx context.Context, r *recording.Recording) ([]Failure, error) {
	if err := t.prepare(ctx, r); err != nil {
		return nil, err
	}
	var failures []Failure
	kept := captures{}
	for i, x := range r.Exchanges {
		if x.Answer == nil {
			return nil, fmt.Errorf("line %d: no answer is recorded", x.Line)
		}
		diffs, err := t.exchange(ctx, r, x, kept)
		if err != nil {
			diffs = append(diffs, err.Error())
		}
		if len(diffs) > 0 {
			failures = append(failures, Failure{i + 1, x.Line, x.Request.Method + " " + x.Request.Target, diffs})
		}
	}
	return failures, t.clean(ctx, r)
}

func (t Target) prepare(ctx context.Context, r *recording.Recording) error {
	if err := t.clean(ctx, r); err != nil {
		return err
	}
	for _, set := range r.Data {
		if t.Load == nil {
			return fmt.Errorf("%s: %w", set, ErrNoData)
		}
		if err := t.Load(ctx, t.Address, set); err != nil {
			return err
		}
	}
	return nil
}

func (t Target) exchange(ctx context.Context, r *recording.Recording, x recording.Exchange, kept captures) ([]string, error) {
	if wide(x.Request) && !t.Disposable && !t.protected(ctx) {
		return []string{"not sent: it could delete more than what the recording names (--disposable says that the engine holds nothing else)"}, nil
	}
	got, err := t.Send(ctx, kept.request(x.Request))
	if err != nil {
		return nil, err
	}
	var missing []string
	if body, err := jsontree.Parse(got.Body); err == nil {
		missing = kept.take(x.Answer.Rules, body)
	}
	rules := slices.Concat(defaultRules(), r.Rules, x.Answer.Rules)
	diffs := t.compare(x.Answer, got, rules, kept, x.Request.Method == "HEAD")
	for _, name := range missing {
		diffs = append(diffs, fmt.Sprintf("nothing to capture as ${%s}", name))
	}
	return diffs, nil
}
