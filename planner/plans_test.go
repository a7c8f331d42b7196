package planner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	memfence "postern/internal/fence/memory"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestPlans shows by what calls searches are answered, and why. The commands are
//
//	search [fence] [documents=N] [near] [keeps] [values=N] [without=RULE] [times=N]
//
// over 10,000 documents of a shop; documents is what the store says there are, values what
// a facet was seen to have.
func TestPlans(t *testing.T) {
	m, ix := shop(t, 10000)
	datadriven.Walk(t, "testdata/plans", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return showPlan(t, m, ix, d)
		})
	})
}

func showPlan(t *testing.T, m *memory, ix *metadata.Index, d *datadriven.TestData) string {
	t.Helper()
	w := store.Weight{Documents: 10000, Near: d.HasArg("near"), Keeps: d.HasArg("keeps")}
	d.MaybeScanArgs(t, "documents", &w.Documents)
	engine := &storetest.Engine{Documents: m, Weight: w}
	p := &Planner{Documents: engine, Node: "n", Now: func() time.Time { return time.UnixMilli(1.7e12) }}
	if d.HasArg("fence") {
		p.Fence = memfence.New(1, 1)
	}
	values := 0
	if d.MaybeScanArgs(t, "values", &values); values > 0 {
		p.ledger.sawValues(ix.UUID, "brand", values)
	}
	var without string
	d.MaybeScanArgs(t, "without", &without)
	for _, rule := range AllRules() {
		if rule.String() == without {
			p.Rules = p.Rules.Without(rule)
		}
	}
	times := 1
	d.MaybeScanArgs(t, "times", &times)
	var out strings.Builder
	for range times {
		plan, err := Parse([]metadata.Resolved{{Index: ix}}, request(t, d.Input), p.now())
		if err != nil {
			return err.Error()
		}
		e := p.newExecution(plan)
		if p.Fence != nil {
			if e.before, err = p.Fence.Lookup(context.Background(), "", plan.uuids()); err != nil {
				return err.Error()
			}
		}
		a, err := e.execute(context.Background())
		if err != nil {
			return err.Error()
		}
		e.learn()
		e.release()
		showTrace(&out, &e.traces[0])
		calls, read := engine.Calls()
		for _, c := range calls {
			fmt.Fprintf(&out, "  %s\n", c)
		}
		fmt.Fprintf(&out, "%d calls, %d documents, %d hits of %d\n", len(calls), read, len(a.Hits), a.Total.Value)
	}
	return out.String()
}

func showTrace(out *strings.Builder, tr *trace) {
	fmt.Fprintf(out, "%s: %s", tr.choice, tr.split.Exactness)
	if tr.why != "" {
		fmt.Fprintf(out, ", no operators: %s", tr.why)
	}
	if tr.push > 0 {
		fmt.Fprintf(out, ", operators %.2f ms", tr.push)
	}
	fmt.Fprintf(out, ", scan %.2f ms\n", tr.scanCost)
}
