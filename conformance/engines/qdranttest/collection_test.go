package qdranttest_test

import (
	"slices"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// collection is one collection of a server, and the calls that these tests make on it.
type collection struct {
	*qdrant.Client
	name string
}

// start gives a server with one collection without vectors.
func start(t *testing.T) collection {
	t.Helper()
	return collection{qdranttest.Start(t).Client(t), ""}.fresh(t)
}

// fresh is a new collection on the same server.
func (c collection) fresh(t *testing.T) collection {
	t.Helper()
	c.name = "c-" + time.Now().Format("150405.000000000")
	if err := c.CreateCollection(t.Context(), &qdrant.CreateCollection{CollectionName: c.name}); err != nil {
		t.Fatal(err)
	}
	return c
}

// must fails the test if a call did.
func must[T any](result T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}

func point(id uint64, payload map[string]any) *qdrant.PointStruct {
	return &qdrant.PointStruct{Id: qdrant.NewIDNum(id), Payload: qdrant.NewValueMap(payload)}
}

// put upserts payloads as points 1, 2, ….
func (c collection) put(t *testing.T, payloads ...map[string]any) {
	t.Helper()
	var points []*qdrant.PointStruct
	for i, payload := range payloads {
		points = append(points, point(uint64(i+1), payload))
	}
	c.upsert(t, &qdrant.UpsertPoints{Points: points})
}

// upsert makes a waiting upsert, which answers Completed, whatever it changed.
func (c collection) upsert(t *testing.T, request *qdrant.UpsertPoints) {
	t.Helper()
	request.CollectionName, request.Wait = c.name, qdrant.PtrOf(true)
	result := must(c.Upsert(t.Context(), request))(t)
	if result.GetStatus() != qdrant.UpdateStatus_Completed {
		t.Fatalf("status %v", result.GetStatus())
	}
}

func (c collection) index(t *testing.T, field string, kind qdrant.FieldType) {
	t.Helper()
	must(c.CreateFieldIndex(t.Context(), &qdrant.CreateFieldIndexCollection{
		CollectionName: c.name, Wait: qdrant.PtrOf(true), FieldName: field, FieldType: &kind,
	}))(t)
}

// payload is what is stored under id; nil when nothing is.
func (c collection) payload(t *testing.T, id uint64) map[string]any {
	t.Helper()
	points := must(c.Get(t.Context(), &qdrant.GetPoints{
		CollectionName: c.name, Ids: []*qdrant.PointId{qdrant.NewIDNum(id)}, WithPayload: qdrant.NewWithPayload(true),
	}))(t)
	if len(points) == 0 {
		return nil
	}
	return plain(points[0].GetPayload())
}

func plain(payload map[string]*qdrant.Value) map[string]any {
	m := map[string]any{}
	for key, value := range payload {
		m[key] = plainValue(value)
	}
	return m
}

func plainValue(value *qdrant.Value) any {
	switch v := value.GetKind().(type) {
	case *qdrant.Value_StructValue:
		return plain(v.StructValue.GetFields())
	case *qdrant.Value_ListValue:
		list := []any{}
		for _, item := range v.ListValue.GetValues() {
			list = append(list, plainValue(item))
		}
		return list
	case *qdrant.Value_IntegerValue:
		return v.IntegerValue
	case *qdrant.Value_DoubleValue:
		return v.DoubleValue
	case *qdrant.Value_StringValue:
		return v.StringValue
	case *qdrant.Value_BoolValue:
		return v.BoolValue
	}
	return nil
}

// matching are the ids that a filter finds, sorted; scroll and exact count have to agree.
func (c collection) matching(t *testing.T, filter *qdrant.Filter) []uint64 {
	t.Helper()
	points := must(c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, Filter: filter, Limit: qdrant.PtrOf(uint32(1000))}))(t)
	found := ids(points)
	slices.Sort(found)
	count := must(c.Count(t.Context(), &qdrant.CountPoints{CollectionName: c.name, Filter: filter, Exact: qdrant.PtrOf(true)}))(t)
	if count != uint64(len(found)) {
		t.Errorf("scroll finds %v, count %d", found, count)
	}
	return found
}

func ids(points []*qdrant.RetrievedPoint) []uint64 {
	var found []uint64
	for _, p := range points {
		found = append(found, p.GetId().GetNum())
	}
	return found
}

func all(conditions ...*qdrant.Condition) *qdrant.Filter { return &qdrant.Filter{Must: conditions} }

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// refused wants an error with the given gRPC status.
func refused(t *testing.T, err error, want codes.Code) {
	t.Helper()
	if code := status.Code(unwrapped(err)); err == nil || code != want {
		t.Errorf("%v: want %v", err, want)
	}
}

// unwrapped takes the client's own wrapping off an error.
func unwrapped(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		err = inner.Unwrap()
	}
}

// must2 is must for calls with two results.
func must2[T, U any](first T, second U, err error) func(t *testing.T) (T, U) {
	return func(t *testing.T) (T, U) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return first, second
	}
}
