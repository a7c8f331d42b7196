package qdrant

import pb "github.com/qdrant/go-client/qdrant"

func textValue(s string) *pb.Value {
	return &pb.Value{Kind: &pb.Value_StringValue{StringValue: s}}
}
func intValue(n int64) *pb.Value { return &pb.Value{Kind: &pb.Value_IntegerValue{IntegerValue: n}} }
func floatValue(f float64) *pb.Value {
	return &pb.Value{Kind: &pb.Value_DoubleValue{DoubleValue: f}}
}
func boolValue(b bool) *pb.Value { return &pb.Value{Kind: &pb.Value_BoolValue{BoolValue: b}} }
func listValue(all []*pb.Value) *pb.Value {
	return &pb.Value{Kind: &pb.Value_ListValue{ListValue: &pb.ListValue{Values: all}}}
}
func objectValue(members map[string]*pb.Value) *pb.Value {
	return &pb.Value{Kind: &pb.Value_StructValue{StructValue: &pb.Struct{Fields: members}}}
}

func textList(all []string) *pb.Value {
	values := make([]*pb.Value, len(all))
	for i, s := range all {
		values[i] = textValue(s)
	}
	return listValue(values)
}

// texts reads a list of strings.
func texts(v *pb.Value) []string {
	list := v.GetListValue().GetValues()
	if len(list) == 0 {
		return nil
	}
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.GetStringValue()
	}
	return all
}
