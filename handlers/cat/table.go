// Package cat draws the tables of _cat: as text in aligned columns, or as a list of
// objects in JSON.
package cat

import (
	"path"
	"slices"
	"strings"

	"postern/internal/eserr"
)

// Column describes a column of a table.
type Column struct {
	Name string
	// Aliases are its other names, separated by commas.
	Aliases string
	Help    string
	// Right aligns to the right.
	Right bool
	// Extra columns are shown only when asked for.
	Extra bool
}

// Table is a whole table, of which a View shows what was asked for.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// Options are the parameters of all tables.
type Options struct {
	H, S    []string // columns to show, columns to sort by
	V       bool     // with a headline
	Help    bool     // the columns instead of the rows
	Primary bool     // with the figures of primaries beside the totals
	Bytes   string   // a unit
	Time    string   // a unit
}

// View is an answer.
type View struct {
	table  *Table
	shown  []shown
	opt    Options
	sorted []int
}

// shown is a column under the name by which it was asked for.
type shown struct {
	column  int
	display string
}

// View chooses and sorts.
func (t *Table) View(opt Options) (*View, error) {
	v := &View{table: t, opt: opt}
	if opt.Help {
		return v, nil
	}
	v.choose()
	return v, v.sort()
}

func (v *View) choose() {
	t := v.table
	if len(v.opt.H) == 0 {
		for i, c := range t.Columns {
			if !c.Extra {
				v.shown = append(v.shown, shown{i, c.Name})
			}
		}
		return
	}
	seen := map[string]bool{}
	for _, h := range v.opt.H {
		if !strings.Contains(h, "*") {
			v.show(h, seen)
			continue
		}
		for _, c := range t.Columns {
			for name := range strings.SplitSeq(c.Name+","+c.Aliases, ",") {
				if ok, _ := path.Match(h, name); ok && name != "" {
					v.show(c.Name, seen)
					break
				}
			}
		}
	}
}

// show adds a column, if there is one of that name, once under each name.
func (v *View) show(name string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	i := v.table.column(name)
	if i < 0 {
		return
	}
	v.shown = append(v.shown, shown{i, name})
	if v.opt.Primary {
		if p := v.table.column("pri." + v.table.Columns[i].Name); p >= 0 {
			v.shown = append(v.shown, shown{p, "pri." + name})
		}
	}
}

// column finds a column by its name or, the last one winning, by an alias.
func (t *Table) column(name string) int {
	found := -1
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
		if slices.Contains(strings.Split(c.Aliases, ","), name) {
			found = i
		}
	}
	return found
}

func (v *View) sort() error {
	v.sorted = make([]int, len(v.table.Rows))
	for i := range v.sorted {
		v.sorted[i] = i
	}
	type key struct {
		column int
		desc   bool
	}
	var keys []key
	for _, s := range v.opt.S {
		name, desc := s, false
		if n, ok := strings.CutSuffix(s, ":desc"); ok {
			name, desc = n, true
		} else if n, ok := strings.CutSuffix(s, ":asc"); ok {
			name = n
		}
		i := v.table.column(name)
		if i < 0 {
			return eserr.IllegalArgument("Unable to sort by unknown sort key `%s`", name)
		}
		keys = append(keys, key{i, desc})
	}
	slices.SortStableFunc(v.sorted, func(a, b int) int {
		for _, k := range keys {
			c := v.table.Rows[a][k.column].compare(v.table.Rows[b][k.column])
			if k.desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	return nil
}
