package mapping

import "postern/internal/jsonx"

// WithOptions is the same mapping under other options. Limits that it already passes
// are not held against it; other analyzers or defaults make it be read again.
func (m *Mapping) WithOptions(o Options) (*Mapping, error) {
	if o.IgnoreMalformed != m.options.IgnoreMalformed || o.NoCoerce != m.options.NoCoerce {
		v, err := jsonx.Parse(m.AppendJSON(nil))
		if err != nil {
			return nil, err
		}
		return Parse(v, o)
	}
	next := *m
	next.options = o
	return &next, nil
}
