package qdranttest_test

import (
	"math"
	"testing"

	"postern/conformance/engines/qdranttest"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

func TestCollections(t *testing.T) {
	client := qdranttest.Start(t).Client(t)
	ctx := t.Context()
	same(t, must(client.ListCollections(ctx))(t), []string(nil))
	create := &qdrant.CreateCollection{CollectionName: "a", ReplicationFactor: qdrant.PtrOf(uint32(1))}
	if err := client.CreateCollection(ctx, create); err != nil {
		t.Fatal(err)
	}
	refused(t, client.CreateCollection(ctx, create), codes.AlreadyExists)
	same(t, must(client.CollectionExists(ctx, "a"))(t), true)
	same(t, must(client.CollectionExists(ctx, "b"))(t), false)
	same(t, must(client.ListCollections(ctx))(t), []string{"a"})

	info := must(client.GetCollectionInfo(ctx, "a"))(t)
	params := info.GetConfig().GetParams()
	same(t, []any{info.GetStatus(), info.GetPointsCount(), params.GetShardNumber(), params.GetReplicationFactor(), params.GetSparseVectorsConfig() == nil, params.GetVectorsConfig() == nil},
		[]any{qdrant.CollectionStatus_Green, uint64(0), uint32(1), uint32(1), true, true})

	if err := client.DeleteCollection(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	same(t, must(client.CollectionExists(ctx, "a"))(t), false)
	if err := client.CreateCollection(ctx, create); err != nil { // the name is free again, and empty
		t.Fatal(err)
	}
	same(t, must(client.Count(ctx, &qdrant.CountPoints{CollectionName: "a", Exact: qdrant.PtrOf(true)}))(t), uint64(0))
	for _, name := range []string{"", "a/b", "../a", "a\x00b"} {
		refused(t, client.CreateCollection(ctx, &qdrant.CreateCollection{CollectionName: name}), codes.InvalidArgument)
	}
}

func TestIndexes(t *testing.T) {
	c := start(t)
	c.put(t, map[string]any{"n": 1, "k": "a"}, map[string]any{"n": 2}, map[string]any{"n": "text"})
	yes, no := qdrant.PtrOf(true), qdrant.PtrOf(false)
	create := func(field string, params *qdrant.PayloadIndexParams, kind *qdrant.FieldType) {
		t.Helper()
		must(c.CreateFieldIndex(t.Context(), &qdrant.CreateFieldIndexCollection{
			CollectionName: c.name, Wait: yes, FieldName: field, FieldType: kind, FieldIndexParams: params}))(t)
	}
	create("n", qdrant.NewPayloadIndexParamsInt(&qdrant.IntegerIndexParams{Lookup: no, Range: yes}), qdrant.FieldType_FieldTypeInteger.Enum())
	create("k", nil, qdrant.FieldType_FieldTypeKeyword.Enum())
	create("k", nil, qdrant.FieldType_FieldTypeKeyword.Enum()) // again is no error
	schema := must(c.GetCollectionInfo(t.Context(), c.name))(t).GetPayloadSchema()
	same(t, []any{schema["n"].GetDataType(), schema["n"].GetPoints(), schema["n"].GetParams().GetIntegerIndexParams().GetRange(),
		schema["n"].GetParams().GetIntegerIndexParams().GetLookup(), schema["k"].GetDataType(), schema["k"].GetPoints()},
		[]any{qdrant.PayloadSchemaType_Integer, uint64(2), true, false, qdrant.PayloadSchemaType_Keyword, uint64(1)})
	same(t, ids(c.ordered(t, &qdrant.OrderBy{Key: "n"})), []uint64{1, 2})

	must(c.DeleteFieldIndex(t.Context(), &qdrant.DeleteFieldIndexCollection{CollectionName: c.name, Wait: yes, FieldName: "n"}))(t)
	_, err := c.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: c.name, OrderBy: &qdrant.OrderBy{Key: "n"}})
	refused(t, err, codes.InvalidArgument)
	same(t, c.matching(t, all(qdrant.NewMatchInt("n", 2))), []uint64{2})
}

func TestErrors(t *testing.T) {
	c := start(t)
	ctx, wait := t.Context(), qdrant.PtrOf(true)
	t.Run("a collection that is missing", func(t *testing.T) {
		_, err := c.Get(ctx, &qdrant.GetPoints{CollectionName: "none", Ids: []*qdrant.PointId{qdrant.NewIDNum(1)}})
		refused(t, err, codes.NotFound)
		_, err = c.Scroll(ctx, &qdrant.ScrollPoints{CollectionName: "none"})
		refused(t, err, codes.NotFound)
		_, err = c.Count(ctx, &qdrant.CountPoints{CollectionName: "none"})
		refused(t, err, codes.NotFound)
		_, err = c.Facet(ctx, &qdrant.FacetCounts{CollectionName: "none", Key: "k"})
		refused(t, err, codes.NotFound)
		_, err = c.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "none", Wait: wait, Points: []*qdrant.PointStruct{point(1, nil)}})
		refused(t, err, codes.NotFound)
		_, err = c.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{CollectionName: "none", FieldName: "n", FieldType: qdrant.FieldType_FieldTypeInteger.Enum()})
		refused(t, err, codes.NotFound)
		_, err = c.GetCollectionInfo(ctx, "none")
		refused(t, err, codes.NotFound)
	})
	t.Run("what can't be read", func(t *testing.T) {
		write := func(p *qdrant.PointStruct) error {
			_, err := c.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: c.name, Wait: wait, Points: []*qdrant.PointStruct{p}})
			return err
		}
		refused(t, write(&qdrant.PointStruct{Id: qdrant.NewIDUUID("no-uuid")}), codes.InvalidArgument)
		refused(t, write(&qdrant.PointStruct{}), codes.InvalidArgument)
		refused(t, write(point(1, map[string]any{"f": math.NaN()})), codes.InvalidArgument)
		refused(t, write(&qdrant.PointStruct{Id: qdrant.NewIDNum(1), Vectors: qdrant.NewVectors(1, 2)}), codes.InvalidArgument)
		_, err := c.Count(ctx, &qdrant.CountPoints{CollectionName: c.name, Filter: all(&qdrant.Condition{})})
		refused(t, err, codes.InvalidArgument)
		_, err = c.Delete(ctx, &qdrant.DeletePoints{CollectionName: c.name, Wait: wait})
		refused(t, err, codes.InvalidArgument)
		_, err = c.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{CollectionName: c.name, Wait: wait, FieldName: "a[", FieldType: qdrant.FieldType_FieldTypeInteger.Enum()})
		refused(t, err, codes.InvalidArgument)
		same(t, c.matching(t, nil), []uint64(nil))
	})
	t.Run("nobody waits", func(t *testing.T) {
		result := must(c.SetPayload(ctx, &qdrant.SetPayloadPoints{CollectionName: c.name, PointsSelector: qdrant.NewPointsSelector(qdrant.NewIDNum(99)),
			Payload: qdrant.NewValueMap(map[string]any{"i": 7})}))(t)
		same(t, result.GetStatus(), qdrant.UpdateStatus_Acknowledged)
	})
	t.Run("what the stand-in has not", func(t *testing.T) {
		refused(t, c.CreateAlias(ctx, "alias", c.name), codes.Unimplemented)
	})
}

func TestVectors(t *testing.T) {
	c := collection{qdranttest.Start(t).Client(t), "vectors"}
	ctx := t.Context()
	err := c.CreateCollection(ctx, &qdrant.CreateCollection{CollectionName: c.name, VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
		"dot": {Size: 2, Distance: qdrant.Distance_Dot}, "euclid": {Size: 2, Distance: qdrant.Distance_Euclid}})})
	if err != nil {
		t.Fatal(err)
	}
	var points []*qdrant.PointStruct
	for i := range 5 {
		p := point(uint64(i+1), map[string]any{"odd": i%2 == 0})
		p.Vectors = qdrant.NewVectorsMap(map[string]*qdrant.Vector{"dot": qdrant.NewVector(float32(i), 1), "euclid": qdrant.NewVector(float32(i), 0)})
		points = append(points, p)
	}
	points = append(points, point(6, map[string]any{"odd": false})) // has none
	c.upsert(t, &qdrant.UpsertPoints{Points: points})

	nearest := func(using string, filter *qdrant.Filter) (found []uint64, scores []float32) {
		t.Helper()
		hits := must(c.Query(ctx, &qdrant.QueryPoints{CollectionName: c.name, Query: qdrant.NewQuery(1.25, 0), Using: &using, Filter: filter,
			Limit: qdrant.PtrOf(uint64(3)), Params: &qdrant.SearchParams{Exact: qdrant.PtrOf(true)}}))(t)
		for _, hit := range hits {
			found, scores = append(found, hit.GetId().GetNum()), append(scores, hit.GetScore())
		}
		return found, scores
	}
	found, scores := nearest("dot", nil)
	same(t, found, []uint64{5, 4, 3})
	same(t, scores, []float32{5, 3.75, 2.5})
	found, scores = nearest("euclid", all(qdrant.NewMatchBool("odd", true)))
	same(t, found, []uint64{3, 1, 5})
	same(t, scores, []float32{0.75, 1.25, 2.75})

	got := must(c.Get(ctx, &qdrant.GetPoints{CollectionName: c.name, Ids: []*qdrant.PointId{qdrant.NewIDNum(2), qdrant.NewIDNum(6)}, WithVectors: qdrant.NewWithVectors(true)}))(t)
	same(t, got[0].GetVectors().GetVectors().GetVectors()["dot"].GetDense().GetData(), []float32{1, 1})
	if len(got[1].GetVectors().GetVectors().GetVectors()) != 0 {
		t.Error("a point without vectors has some")
	}
	_, err = c.Query(ctx, &qdrant.QueryPoints{CollectionName: c.name, Query: qdrant.NewQuery(1, 2, 3), Using: qdrant.PtrOf("dot")})
	refused(t, err, codes.InvalidArgument)
	_, err = c.Query(ctx, &qdrant.QueryPoints{CollectionName: c.name, Query: qdrant.NewQuery(1, 2), Using: qdrant.PtrOf("none")})
	refused(t, err, codes.InvalidArgument)
	names := must(c.GetCollectionInfo(ctx, c.name))(t).GetConfig().GetParams().GetVectorsConfig().GetParamsMap().GetMap()
	same(t, len(names), 2)
}
