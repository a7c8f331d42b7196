package metadata

import (
	"fmt"
	"slices"
	"strconv"

	"postern/internal/jsonx"
)

// format is the version of the durable form; a state of a later one is not read.
const format = 1

// AppendBinary appends the durable form of the state, which Decode reads.
func (s *State) AppendBinary(dst []byte) []byte {
	return s.append(dst, func(dst []byte, ix *Index) []byte { return ix.AppendBinary(dst) })
}

// AppendDirectory appends the durable form of the state with a reference in the place of
// each index, for stores that keep every index by itself. DecodeDirectory reads it.
func (s *State) AppendDirectory(dst []byte, ref func(*Index) string) []byte {
	return s.append(dst, func(dst []byte, ix *Index) []byte { return jsonx.AppendString(dst, ref(ix)) })
}

func (s *State) append(dst []byte, index func([]byte, *Index) []byte) []byte {
	dst = append(dst, `{"format":`...)
	dst = strconv.AppendInt(dst, format, 10)
	dst = append(dst, `,"version":`...)
	dst = strconv.AppendInt(dst, s.Version, 10)
	dst = append(dst, `,"cluster_uuid":`...)
	dst = jsonx.AppendString(dst, s.ClusterUUID)
	dst = append(dst, `,"indices":[`...)
	for i, name := range s.names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = index(dst, s.indices[name])
	}
	dst = append(dst, `],"templates":[`...)
	for i, t := range s.templates {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"name":`...)
		dst = jsonx.AppendString(dst, t.Name)
		dst = append(dst, `,"body":`...)
		dst = t.AppendJSON(dst, true)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// AppendBinary appends the durable form of one index, which DecodeIndex reads.
func (ix *Index) AppendBinary(dst []byte) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonx.AppendString(dst, ix.Name)
	dst = append(dst, `,"uuid":`...)
	dst = jsonx.AppendString(dst, ix.UUID)
	for _, n := range []struct {
		name  string
		value int64
	}{{"created", ix.CreatedMillis}, {"mapping_version", ix.MappingVersion}, {"settings_version", ix.SettingsVersion}, {"aliases_version", ix.AliasesVersion}} {
		dst = append(jsonx.AppendString(append(dst, ','), n.name), ':')
		dst = strconv.AppendInt(dst, n.value, 10)
	}
	dst = append(dst, `,"closed":`...)
	dst = jsonx.AppendBool(dst, ix.Closed)
	dst = append(dst, `,"settings":`...)
	dst = ix.Settings.AppendFlat(dst)
	dst = append(dst, `,"mapping":`...)
	dst = ix.Mapping.AppendJSON(dst)
	dst = append(dst, `,"aliases":`...)
	dst = AppendAliases(dst, ix.Aliases)
	return append(dst, '}')
}

// Decode reads a state's durable form.
func Decode(b []byte) (*State, error) { return decode(b, decodeIndex) }

// DecodeDirectory reads what AppendDirectory wrote; index gives what a reference stands
// for.
func DecodeDirectory(b []byte, index func(ref string) (*Index, error)) (*State, error) {
	return decode(b, func(v jsonx.Value) (*Index, error) { return index(v.Text()) })
}

// DecodeIndex reads an index's durable form.
func DecodeIndex(b []byte) (*Index, error) {
	v, err := jsonx.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("metadata: an index cannot be read: %w", err)
	}
	return decodeIndex(v)
}

func decode(b []byte, index func(jsonx.Value) (*Index, error)) (*State, error) {
	v, err := jsonx.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("metadata: the catalog cannot be read: %w", err)
	}
	if n, ok := v.Get("format").Int64(); !ok || n > format {
		return nil, fmt.Errorf("metadata: the catalog has the format %s, this version reads up to %d", v.Get("format").Raw(), format)
	}
	s := NewState(v.Get("cluster_uuid").Text())
	indices := map[string]*Index{}
	for e := range v.Get("indices").Elements() {
		ix, err := index(e)
		if err != nil {
			return nil, fmt.Errorf("metadata: index %q: %w", e.Get("name").Text(), err)
		}
		indices[ix.Name] = ix
	}
	s = s.withIndices(indices)
	for e := range v.Get("templates").Elements() {
		t, err := ParseTemplate(e.Get("name").Text(), e.Get("body"))
		if err != nil {
			return nil, fmt.Errorf("metadata: template %q: %w", e.Get("name").Text(), err)
		}
		s.templates = append(s.templates, t)
	}
	slices.SortFunc(s.templates, func(a, b *Template) int { return compare(a.Name, b.Name) })
	s.Version, _ = v.Get("version").Int64()
	return s, nil
}

func decodeIndex(v jsonx.Value) (*Index, error) {
	ix := &Index{Name: v.Get("name").Text(), UUID: v.Get("uuid").Text()}
	ix.CreatedMillis, _ = v.Get("created").Int64()
	ix.MappingVersion, _ = v.Get("mapping_version").Int64()
	ix.SettingsVersion, _ = v.Get("settings_version").Int64()
	ix.AliasesVersion, _ = v.Get("aliases_version").Int64()
	ix.Closed, _ = v.Get("closed").Bool()
	var err error
	if ix.Settings, err = ParseSettings(v.Get("settings")); err != nil {
		return nil, err
	}
	if ix.Mapping, err = parseMapping(v.Get("mapping"), ix.Settings); err != nil {
		return nil, err
	}
	ix.Aliases, err = parseAliases(v.Get("aliases"), false)
	return ix, err
}
