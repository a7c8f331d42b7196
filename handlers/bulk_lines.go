package handlers

import (
	"bytes"
	"errors"
	"strconv"

	genaggs "postern/generated/aggs"
	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mutate"
	"postern/internal/xcontent"
)

// parseBulk reads the lines of a bulk. What is wrong with an action line refuses the whole
// request, since where the next action begins is then not known.
func parseBulk(r *api.BulkRequest) ([]bulkItem, error) {
	body := r.Body
	if len(body) == 0 {
		return nil, eserr.BodyRequired()
	}
	p := bulkParser{r: r, items: make([]bulkItem, 0, bytes.Count(body, []byte{'\n'})/2+1)}
	var wrong []string
	for len(body) > 0 {
		line, rest, terminated := bytes.Cut(body, []byte{'\n'})
		if !terminated {
			return nil, eserr.IllegalArgument(`The bulk request must be terminated by a newline [\n]`)
		}
		body = rest
		p.line++
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 {
			continue
		}
		it, err := p.action(line)
		if err != nil {
			return nil, err
		}
		if it == nil {
			continue // an empty object: Elasticsearch passes it by
		}
		if it.op.Action != mutate.Delete {
			line, rest, terminated = bytes.Cut(body, []byte{'\n'})
			if len(body) == 0 {
				break // an action without its document at the very end
			}
			if !terminated {
				return nil, eserr.IllegalArgument(`The bulk request must be terminated by a newline [\n]`)
			}
			body = rest
			p.line++
			if err := it.document(bytes.TrimSuffix(line, []byte{'\r'}), p.retries); err != nil {
				return nil, err
			}
		}
		if it.op.Refusal == nil {
			wrong = append(wrong, it.op.Validate()...)
		}
		p.items = append(p.items, *it)
	}
	switch {
	case len(p.items) == 0:
		return nil, eserr.ActionValidation("no requests added")
	case wrong != nil:
		return nil, eserr.ActionValidation(wrong...)
	}
	return p.items, nil
}

type bulkParser struct {
	r     *api.BulkRequest
	line  int
	items []bulkItem
	tape  jsonx.Tape
	// retries says that the action at hand has retry_on_conflict.
	retries bool
}

func (p *bulkParser) malformed(format string, a ...any) error {
	return eserr.IllegalArgument("Malformed action/metadata line [%d], "+format, append([]any{p.line}, a...)...)
}

// action reads one action line.
func (p *bulkParser) action(line []byte) (*bulkItem, error) {
	v, err := p.actionObject(line)
	if err != nil {
		return nil, err
	}
	if v.Kind() != jsonx.Object {
		return nil, p.malformed("expected START_OBJECT but found [%s]", xcontent.TokenOf(v))
	}
	if v.Len() == 0 {
		return nil, p.malformed("expected FIELD_NAME but found [END_OBJECT]")
	}
	it := &bulkItem{op: mutate.Op{Index: p.r.Index, Routing: p.r.Routing, RequireAlias: deref(p.r.RequireAlias)}}
	if p.r.Source != nil || p.r.SourceIncludes != nil || p.r.SourceExcludes != nil {
		it.show = true
		it.enabled, it.in, it.ex = sourceParams(p.r.Source, p.r.SourceIncludes, p.r.SourceExcludes)
	}
	for k, m := range v.Members() {
		name := k.Text()
		switch name {
		case "index":
			it.op.Action = mutate.Index
		case "create":
			it.op.Action = mutate.Create
		case "delete":
			it.op.Action = mutate.Delete
		case "update":
			it.op.Action = mutate.Update
		default:
			return nil, p.malformed("expected field [create], [delete], [index] or [update] but found [%s]", name)
		}
		if m.Kind() != jsonx.Object {
			return nil, p.malformed("expected START_OBJECT or END_OBJECT but found [%s]", xcontent.TokenOf(m))
		}
		if err := p.metadata(it, m); err != nil {
			return nil, err
		}
		break // further members are passed by, as Elasticsearch does
	}
	return it, nil
}

// actionObject parses an action line. Elasticsearch stops reading where the action's own
// object ends: what follows may be anything, or be missing.
func (p *bulkParser) actionObject(line []byte) (jsonx.Value, error) {
	v, err := jsonx.ParseReuse(&p.tape, line)
	if err == nil {
		return v, nil
	}
	if end := innerEnd(line); end > 0 {
		cut := append(append(make([]byte, 0, end+1), line[:end]...), '}')
		if v, again := jsonx.ParseReuse(&p.tape, cut); again == nil {
			return v, nil
		}
	}
	return v, eserr.FromSyntax(err)
}

// innerEnd is where the first object inside of an object ends, 0 if it does not.
func innerEnd(line []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 1 {
				return i + 1
			}
			if depth == 0 {
				return 0
			}
		}
	}
	return 0
}

// metadata reads what an action says of its operation.
func (p *bulkParser) metadata(it *bulkItem, m jsonx.Value) error {
	op := &it.op
	pipeline := p.r.Pipeline
	p.retries = false
	for k, v := range m.Members() {
		name := k.Text()
		if name == "dynamic_templates" && v.Kind() == jsonx.Object {
			if v.Len() > 0 {
				return eserr.Refused("[dynamic_templates] of a bulk is not supported")
			}
			continue
		}
		if name == "_source" && op.Action == mutate.Update {
			if err := it.source(v); err != nil {
				return err
			}
			continue
		}
		if v.Kind() >= jsonx.Object {
			return p.malformed("expected a simple value for field [%s] but found [%s]", name, xcontent.TokenOf(v))
		}
		if v.Kind() == jsonx.Null && name != "_id" {
			continue
		}
		text := v.Text()
		switch name {
		case "_index":
			op.Index = text
		case "_id":
			if v.Kind() == jsonx.Null {
				continue
			}
			op.ID, op.GivenID = text, true
		case "routing", "_routing":
			if name == "_routing" {
				return p.unknown(name)
			}
			op.Routing = text
		case "op_type":
			switch {
			case op.Action == mutate.Index && text == "create":
				op.Action = mutate.Create
			case text != "index" && text != "create":
				return eserr.IllegalArgument("opType must be 'create' or 'index', found: [%s]", text)
			}
		case "version", "if_seq_no", "if_primary_term", "retry_on_conflict":
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return eserr.IllegalArgument("For input string: \"%s\"", text)
			}
			switch name {
			case "version":
				op.Version = &n
			case "if_seq_no":
				op.IfSeqNo = &n
			case "if_primary_term":
				op.IfPrimaryTerm = &n
			default:
				p.retries = n > 0
			}
			if err := op.CheckNumbers(); err != nil {
				return err
			}
		case "version_type":
			switch text {
			case "internal":
			case "external":
				op.VersionType = mutate.External
			case "external_gte":
				op.VersionType = mutate.ExternalGTE
			default:
				return eserr.IllegalArgument("No version type match [%s]", text)
			}
		case "pipeline":
			pipeline = text
		case "require_alias":
			op.RequireAlias = text == "true"
		case "require_data_stream", "list_executed_pipelines":
			if text == "true" {
				return eserr.Refused("[%s] of a bulk is not supported", name)
			}
		default:
			return p.unknown(name)
		}
	}
	if op.Action == mutate.Index || op.Action == mutate.Create {
		if err := refusePipeline(pipeline); err != nil {
			op.Refusal = err
		}
	}
	return nil
}

func (p *bulkParser) unknown(name string) error {
	return eserr.IllegalArgument("Action/metadata line [%d] contains an unknown parameter [%s]", p.line, name)
}

func (it *bulkItem) source(v jsonx.Value) error {
	s, err := genaggs.DecodeSourceConfig(v)
	if err != nil {
		return err
	}
	it.show, it.enabled, it.in, it.ex = true, s.Enabled, nil, nil
	if s.SourceFilter != nil {
		it.in, it.ex = s.SourceFilter.Includes, s.SourceFilter.Excludes
	}
	return nil
}

// document reads the line behind an action.
func (it *bulkItem) document(line []byte, retries bool) error {
	if it.op.Action != mutate.Update {
		it.op.Source = line
		return nil
	}
	v, err := jsonx.Parse(line)
	if err != nil {
		return badUpdate(err)
	}
	b, err := api.DecodeUpdateBody(v)
	if err != nil {
		return err
	}
	if it.op.Version != nil || it.op.VersionType != mutate.Internal {
		return eserr.IllegalArgument("Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead")
	}
	if it.op.Update, err = partialOf(b, retries); err != nil {
		return err
	}
	if b.IfSeqNo != nil {
		it.op.IfSeqNo = b.IfSeqNo
	}
	if b.IfPrimaryTerm != nil {
		it.op.IfPrimaryTerm = b.IfPrimaryTerm
	}
	if b.Source != nil {
		it.show, it.enabled, it.in, it.ex = true, b.Source.Enabled, nil, nil
		if f := b.Source.SourceFilter; f != nil {
			it.in, it.ex = f.Includes, f.Excludes
		}
	}
	return nil
}

// badUpdate is the complaint about an update's line that is no JSON; that it ends too
// early is not told apart.
func badUpdate(err error) error {
	var s *jsonx.SyntaxError
	if errors.As(err, &s) && s.EOF {
		return eserr.XContentParse(s.Line, s.Col, "%s", s.Jackson()).
			Cause(&eserr.Error{Status: 400, Type: "json_e_o_f_exception", Reason: s.Jackson()})
	}
	return eserr.FromSyntax(err)
}
