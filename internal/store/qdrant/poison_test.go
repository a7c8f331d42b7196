package qdrant

import (
	"testing"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/conformance/engines/qdranttest"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
)

// A write that was given up and arrives after its document was poisoned changes nothing;
// later writes go on as if nothing had been.
func TestPoisonedDocumentsTakeNoLateWrite(t *testing.T) {
	s := open(t, place(t, qdranttest.Start(t).Addr))
	defer s.Close()
	m := newMutator(s)
	ix, err := m.CreateIndex(t.Context(), metadata.Creation{Name: "i"})
	if err != nil {
		t.Fatal(err)
	}
	put := func(id, source string) int64 {
		t.Helper()
		out, err := m.Apply(t.Context(), []mutate.Op{{Index: "i", ID: id, GivenID: true, Source: []byte(source)}}, store.RefreshNone)
		if err != nil || out[0].Err != nil {
			t.Fatal(err, out)
		}
		return out[0].Version
	}
	put("there", `{"n":1}`)
	collection := s.collectionName(ix.UUID)
	chain := func(id string) []string {
		t.Helper()
		found, err := s.retrieve(t.Context(), collection, []*pb.PointId{pointID(id)}, []string{keyChain})
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			return nil
		}
		return texts(found[0].GetPayload()[keyChain])
	}
	late := func(id string, prior []string) {
		t.Helper()
		up := &pb.UpsertPoints{CollectionName: collection, Points: []*pb.PointStruct{{Id: pointID(id), Payload: map[string]*pb.Value{
			keyID: textValue(id), keySeqNo: intValue(99), keyVersion: intValue(99), keyTerm: intValue(1), keySource: textValue(`{"n":99}`),
			keyWrite: textValue("late"), keyChain: textList(linked("late", prior))}}}}
		up.UpdateMode = pb.UpdateMode_InsertOnly.Enum()
		if len(prior) > 0 {
			up.UpdateMode, up.UpdateFilter = pb.UpdateMode_UpdateOnly.Enum(), must(matchAny(keyWrite, prior[0]))
		}
		if err := s.upsert(t.Context(), up); err != nil {
			t.Fatal(err)
		}
	}
	before := chain("there")
	if err := s.Poison(t.Context(), ix.UUID, []string{"there", "absent"}); err != nil {
		t.Fatal(err)
	}
	late("there", before)
	late("absent", nil)
	for _, id := range []string{"there", "absent"} {
		if c := chain(id); c[0] == "late" {
			t.Errorf("the late write of %s was carried out", id)
		}
	}
	got, err := s.Get(t.Context(), ix, []string{"there", "absent"}, true)
	if err != nil || string(got[0].Source) != `{"n":1}` || got[1].Found {
		t.Errorf("after poisoning: %+v %v", got, err)
	}
	if v := put("there", `{"n":2}`); v != 2 {
		t.Errorf("the next write of there has version %d", v)
	}
	if v := put("absent", `{"n":2}`); v != 1 {
		t.Errorf("the first write of absent has version %d", v)
	}
}
