package transport

import (
	"gopkg.in/yaml.v3"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// yamlToJSON converts a YAML body. Names keep their order; numbers, booleans and nulls
// are what YAML says they are, all other scalars are strings.
func yamlToJSON(body []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(body, &doc); err != nil {
		return nil, eserr.IllegalArgument("the body is no YAML: %s", err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	return appendYAML(make([]byte, 0, len(body)+16), doc.Content[0], 0)
}

func appendYAML(dst []byte, n *yaml.Node, depth int) ([]byte, error) {
	if depth > jsonx.MaxDepth {
		return nil, eserr.IllegalArgument("YAML nested deeper than %d", jsonx.MaxDepth)
	}
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.Content[i].Kind != yaml.ScalarNode {
				return nil, eserr.IllegalArgument("YAML names must be scalars, at line %d", n.Content[i].Line)
			}
			dst = append(jsonx.AppendString(dst, n.Content[i].Value), ':')
			if dst, err = appendYAML(dst, n.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, e := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendYAML(dst, e, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case yaml.ScalarNode:
		return appendYAMLScalar(dst, n), nil
	}
	// Aliases can make a small body as large as memory.
	return nil, eserr.IllegalArgument("YAML aliases are not supported, at line %d", n.Line)
}

func appendYAMLScalar(dst []byte, n *yaml.Node) []byte {
	switch n.ShortTag() {
	case "!!null":
		return append(dst, "null"...)
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return jsonx.AppendBool(dst, b)
		}
	case "!!int", "!!float":
		// What is a number in JSON too stays as it is written.
		if v, err := jsonx.Parse([]byte(n.Value)); err == nil && v.Kind() == jsonx.Number {
			return append(dst, n.Value...)
		}
		var f float64
		if n.Decode(&f) == nil {
			return jsonx.AppendFloat(dst, f)
		}
	}
	return jsonx.AppendString(dst, n.Value)
}
