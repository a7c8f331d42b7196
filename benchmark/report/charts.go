package report

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// Charts draws runs as SVG files in a folder and returns their names: for every profile and
// number of clients the latency by workload and engine, of the first run; memory; and, where
// the runs have different numbers of documents, cost against index size.
func Charts(dir string, runs ...Run) ([]string, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("no run to draw")
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return a.Documents - b.Documents })
	var files []string
	save := func(p *plot.Plot, width vg.Length, name string) error {
		file := filepath.Join(dir, strings.NewReplacer(" ", "-", ",", "", "/", "-").Replace(name)+".svg")
		files = append(files, file)
		return p.Save(width, 10*vg.Centimeter, file)
	}
	first := runs[0]
	groups := map[string][]Question{}
	var names []string
	for _, q := range first.Questions() {
		if q.Profile == nullEngine {
			continue
		}
		name := fmt.Sprintf("latency %s, %s", q.Profile, plural(q.Clients, "client"))
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], q)
	}
	for _, name := range names {
		p, err := first.latency(name, groups[name])
		if err == nil {
			err = save(p, vg.Length(4+3*len(groups[name]))*vg.Centimeter, name)
		}
		if err != nil {
			return files, err
		}
	}
	if len(first.Memory) > 0 {
		p, err := first.memoryChart()
		if err == nil {
			err = save(p, 14*vg.Centimeter, "memory")
		}
		if err != nil {
			return files, err
		}
	}
	if runs[0].Documents != runs[len(runs)-1].Documents {
		for _, q := range first.Questions() {
			if q.Profile == nullEngine || q.Clients != 1 {
				continue
			}
			p, err := bySize(q, runs)
			if err == nil {
				err = save(p, 14*vg.Centimeter, strings.TrimSpace("size "+q.Profile+" "+q.Workload+" "+q.Class))
			}
			if err != nil {
				return files, err
			}
		}
	}
	return files, nil
}

// latency draws p50s as groups of bars: a group a workload, a bar an engine.
func (r Run) latency(title string, questions []Question) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text, p.Y.Min = title, "p50, milliseconds", 0
	p.Legend.Top = true
	labels := make([]string, len(questions))
	for i, q := range questions {
		labels[i] = strings.TrimSpace(q.Workload + " " + q.Class)
	}
	p.NominalX(labels...)
	const width = 14 // points
	drawn := 0
	for _, e := range r.Engines {
		values := make(plotter.Values, len(questions))
		for i, q := range questions {
			if c, ok := r.Cell(e.Name, q); ok {
				values[i] = c.P50
			}
		}
		if slices.Max(values) == 0 {
			continue
		}
		bars, err := plotter.NewBarChart(values, vg.Points(width))
		if err != nil {
			return nil, err
		}
		bars.Color, bars.LineStyle.Width, bars.Offset = engineColor(drawn), 0, vg.Points(float64(width*drawn)-width)
		drawn++
		p.Add(bars)
		p.Legend.Add(e.Name, bars)
	}
	return p, nil
}

func (r Run) memoryChart() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text, p.Y.Min = fmt.Sprintf("resident memory, %d documents", r.Documents), "MiB", 0
	var idle, loaded plotter.Values
	var labels []string
	for _, m := range r.Memory {
		idle, loaded, labels = append(idle, m.IdleMiB), append(loaded, m.Loaded), append(labels, m.Engine)
	}
	p.NominalX(labels...)
	p.Legend.Top, p.Legend.Left = true, true
	for i, set := range []plotter.Values{idle, loaded} {
		bars, err := plotter.NewBarChart(set, vg.Points(20))
		if err != nil {
			return nil, err
		}
		bars.Color, bars.LineStyle.Width, bars.Offset = engineColor(i), 0, vg.Points(float64(20*i)-10)
		p.Add(bars)
		p.Legend.Add([]string{"idle", "loaded"}[i], bars)
	}
	return p, nil
}

// bySize draws one question's p50 against the number of documents, a line an engine.
func bySize(q Question, runs []Run) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: %s", q.Profile, strings.TrimSpace(q.Workload+" "+q.Class))
	p.X.Label.Text, p.Y.Label.Text = "documents", "p50, milliseconds"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	for i, e := range runs[0].Engines {
		var points plotter.XYs
		for _, r := range runs {
			if c, ok := r.Cell(e.Name, q); ok {
				points = append(points, plotter.XY{X: float64(r.Documents), Y: c.P50})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, marks.Color = engineColor(i), engineColor(i)
		p.Add(line, marks)
		p.Legend.Add(e.Name, line, marks)
	}
	return p, nil
}

func engineColor(i int) color.Color { return plotutil.SoftColors[i%len(plotutil.SoftColors)] }
