package ir

import (
	"slices"

	"postern/spec"
)

// answers adds the objects that are sent. They are those with a line in
// amendments.yaml, because the specification does not tell the order of members.
func (b *builder) answers() {
	made := map[string]*Answer{}
	for _, name := range keys(b.amended.Answers) {
		made[name] = &Answer{Go: b.amended.Answers[name].Go, Spec: name}
		b.out.Answers = append(b.out.Answers, made[name])
	}
	for _, a := range b.out.Answers {
		t := b.model.Type(parseName(a.Spec))
		if t == nil {
			continue // found by unmatched
		}
		b.used["answers "+a.Spec] = true
		b.answer(a, t, made)
	}
}

func (b *builder) answer(a *Answer, t *spec.Type, made map[string]*Answer) {
	fix := b.amended.Answers[a.Spec]
	known := map[string]*spec.Property{}
	for _, p := range b.properties(t, nil, a.Spec) {
		known[p.Name] = p.Property
	}
	if t.Body != nil {
		for _, p := range t.Body.Properties {
			known[p.Name] = p
		}
		if v := t.Body.Value; v != nil && v.Kind == spec.InstanceOf {
			if is := b.model.Type(v.Type); is != nil {
				for _, p := range b.properties(is, nil, a.Spec) {
					known[p.Name] = p.Property
				}
			}
		}
	}
	for _, wire := range fix.Order {
		m := &AnswerMember{Go: GoName(wire), Wire: wire}
		extra, isExtra := fix.Extra[wire]
		if n, ok := fix.Names[wire]; ok {
			m.Go = n
		}
		p := known[wire]
		switch {
		case p == nil && !isExtra:
			b.fail(&Unmatched{File: "amendments.yaml", Line: "answers " + a.Spec + " order " + wire})
			continue
		case isExtra:
			m.Shape = sentAs(extra.As)
		default:
			m.Required = p.Required && !slices.Contains(fix.Optional, wire)
			m.Shape = b.sent(p.Type, made)
		}
		m.Null = slices.Contains(fix.Null, wire) || m.Shape.Kind == SendTextOrNull
		a.Members = append(a.Members, m)
	}
}

// sentAs is the form that amendments.yaml gives a member.
func sentAs(text string) AnswerShape {
	switch text {
	case "bool":
		return AnswerShape{Kind: SendBool}
	case "int", "long":
		return AnswerShape{Kind: SendInt}
	case "double":
		return AnswerShape{Kind: SendDouble}
	case "string":
		return AnswerShape{Kind: SendText}
	case "string|null":
		return AnswerShape{Kind: SendTextOrNull}
	case "string[]":
		return AnswerShape{Kind: SendList, Of: &AnswerShape{Kind: SendText}}
	case "raw":
		return AnswerShape{Kind: SendRaw}
	}
	return AnswerShape{Kind: SendAppender}
}

// sent finds how a value of the specification is written. What has no line of its own
// under answers encodes itself.
func (b *builder) sent(v *spec.Value, made map[string]*Answer) AnswerShape {
	switch v.Kind {
	case spec.ArrayOf:
		of := b.sent(v.Value, made)
		return AnswerShape{Kind: SendList, Of: &of}
	case spec.DictionaryOf:
		of := b.sent(v.Value, made)
		if v.SingleKey {
			return AnswerShape{Kind: SendPair, Of: &of}
		}
		return AnswerShape{Kind: SendDict, Of: &of}
	case spec.UserDefined:
		return AnswerShape{Kind: SendRaw}
	case spec.UnionOf:
		if one := repeated(v.Items); one != nil {
			of := b.sent(one, made)
			return AnswerShape{Kind: SendList, Of: &of}
		}
	case spec.InstanceOf:
		return b.sentInstance(v, made)
	}
	return AnswerShape{Kind: SendAppender}
}

func (b *builder) sentInstance(v *spec.Value, made map[string]*Answer) AnswerShape {
	name := v.Type.String()
	if a := made[name]; a != nil {
		return AnswerShape{Kind: SendAnswer, Ref: a}
	}
	switch b.amended.Numbers[name] {
	case "int", "long":
		return AnswerShape{Kind: SendInt}
	case "float", "double":
		return AnswerShape{Kind: SendDouble}
	}
	switch {
	case name == "_types:uint" || name == "_types:ulong":
		return AnswerShape{Kind: SendInt}
	case v.Type.Builtin() && v.Type.Name == "string":
		return AnswerShape{Kind: SendText}
	case v.Type.Builtin() && v.Type.Name == "boolean":
		return AnswerShape{Kind: SendBool}
	}
	t := b.model.Type(v.Type)
	switch {
	case t == nil: // a type parameter: the document
		return AnswerShape{Kind: SendRaw}
	case t.Kind == spec.Enum:
		return AnswerShape{Kind: SendText}
	case name == "_types:DurationValue" || name == "_types:EpochTime" || name == "_types:UnitMillis":
		return AnswerShape{Kind: SendInt}
	case name == "_types:DateTime" || name == "_types:VersionString":
		return AnswerShape{Kind: SendText}
	case t.Kind == spec.Alias:
		return b.sent(t.Type, made)
	}
	return AnswerShape{Kind: SendAppender}
}
