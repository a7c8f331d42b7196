package report

import (
	"encoding/json"
	"os"

	"postern/spec"
)

// Measured writes the totals of runs as spec/measured.json has them.
func Measured(file string, runs []Run) error {
	list := []spec.Measured{}
	for _, r := range runs {
		m := spec.Measured{Engine: r.Engine, Version: r.Version, Date: r.Date.Format("2006-01-02"), Cases: map[string]spec.Share{}}
		for _, c := range r.Cases {
			if c.Outcome == Skipped {
				continue
			}
			s := m.Cases[c.Capability()]
			s.Asked++
			if c.Outcome == Passed {
				s.Passed++
			}
			m.Cases[c.Capability()] = s
		}
		list = append(list, m)
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
