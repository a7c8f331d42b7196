package qdrant

import pb "github.com/qdrant/go-client/qdrant"

// matchAny is met by points with any of some strings.
func matchAny(key string, texts ...string) *pb.Condition {
	match := &pb.Match{MatchValue: &pb.Match_Keywords{Keywords: &pb.RepeatedStrings{Strings: texts}}}
	if len(texts) == 1 {
		match.MatchValue = &pb.Match_Keyword{Keyword: texts[0]}
	}
	return field(&pb.FieldCondition{Key: key, Match: match})
}

func field(c *pb.FieldCondition) *pb.Condition {
	return &pb.Condition{ConditionOneOf: &pb.Condition_Field{Field: c}}
}

func hasID(ids ...*pb.PointId) *pb.Condition {
	return &pb.Condition{ConditionOneOf: &pb.Condition_HasId{HasId: &pb.HasIdCondition{HasId: ids}}}
}

func isEmpty(key string) *pb.Condition {
	return &pb.Condition{ConditionOneOf: &pb.Condition_IsEmpty{IsEmpty: &pb.IsEmptyCondition{Key: key}}}
}

func nothing() *pb.Filter { return must(hasID()) }

func must(all ...*pb.Condition) *pb.Filter    { return &pb.Filter{Must: all} }
func mustNot(all ...*pb.Condition) *pb.Filter { return &pb.Filter{MustNot: all} }

// live is met by documents and not by tombstones.
func live() *pb.Condition { return matchAny(keyCover, covered) }

func within(f *pb.Filter) *pb.Condition {
	return &pb.Condition{ConditionOneOf: &pb.Condition_Filter{Filter: f}}
}
