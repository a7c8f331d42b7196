"""A day's work with the official Python client, version 8 or 9.

usage: day.py URL
Every step asserts; the exit code tells.
"""

import sys
from datetime import datetime, timezone

from elasticsearch import BadRequestError, ConflictError, Elasticsearch, NotFoundError, __version__, helpers

INDEX = "clients-py"
ALIAS = "clients-py-current"


def documents():
    for i in range(250):
        yield {
            "_index": INDEX,
            "_id": i,  # numeric, as users do
            "_source": {
                "title": f"Report number {i}",
                "author": f"author-{i % 5}",
                "pages": i,
                "published": datetime(2024, 1 + i % 12, 1 + i % 28, tzinfo=timezone.utc),
                "reviews": [{"by": f"r{i % 3}", "stars": i % 5}],
            },
        }


def create(es):
    es.options(ignore_status=404).indices.delete(index=INDEX)
    es.options(ignore_status=404).indices.delete(index=INDEX + "-2")
    assert not es.indices.exists(index=INDEX)
    es.indices.create(
        index=INDEX,
        settings={"number_of_replicas": 0},
        mappings={
            "properties": {
                "title": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
                "author": {"type": "keyword"},
                "pages": {"type": "integer"},
                "published": {"type": "date"},
                "reviews": {"type": "nested", "properties": {"by": {"type": "keyword"}, "stars": {"type": "integer"}}},
            }
        },
    )
    assert es.indices.exists(index=INDEX)
    try:
        es.indices.create(index=INDEX)
        raise AssertionError("a second create was taken")
    except BadRequestError as e:
        assert e.error == "resource_already_exists_exception", e.error
        assert e.body["error"]["root_cause"][0]["index"] == INDEX


def fill(es):
    ok, errors = helpers.bulk(es, documents(), chunk_size=60, refresh=True)
    assert (ok, errors) == (250, []), (ok, errors)
    assert es.count(index=INDEX)["count"] == 250
    # one broken document fails alone and is reported
    broken = [{"_index": INDEX, "_id": "x", "pages": "many"}, {"_index": INDEX, "_id": "y", "pages": 1}]
    try:
        helpers.bulk(es, broken, refresh=True)
        raise AssertionError("a broken document was taken")
    except helpers.BulkIndexError as e:
        assert len(e.errors) == 1, e.errors
        assert e.errors[0]["index"]["error"]["type"] == "document_parsing_exception", e.errors
    es.delete(index=INDEX, id="y", refresh=True)
    threads = helpers.parallel_bulk(es, ({"_op_type": "update", "_index": INDEX, "_id": i, "doc": {"extra": i}} for i in range(20)), thread_count=2)
    assert all(ok for ok, _ in threads)
    es.indices.refresh(index=INDEX)


def read(es):
    one = es.get(index=INDEX, id="7", source_includes=["title"])
    assert one["_source"] == {"title": "Report number 7"}, one
    many = es.mget(index=INDEX, ids=["1", "2", "nothing"])
    assert [d["found"] for d in many["docs"]] == [True, True, False]
    assert es.exists(index=INDEX, id="7")
    assert not es.exists(index=INDEX, id="7000")
    try:
        es.get(index=INDEX, id="7000")
        raise AssertionError("a missing document was found")
    except NotFoundError as e:
        assert e.body["found"] is False
    try:
        es.search(index="clients-py-none")
        raise AssertionError("a missing index was found")
    except NotFoundError as e:
        assert e.error == "index_not_found_exception"
        assert e.meta.headers["x-elastic-product"] == "Elasticsearch"
    try:
        es.search(index=INDEX, query={"nope": {}})
        raise AssertionError("an unknown query was taken")
    except BadRequestError as e:
        assert e.error == "parsing_exception", e.error


def search(es):
    found = es.search(
        index=INDEX,
        query={"bool": {"must": {"match": {"title": "number 42"}}, "filter": {"term": {"author": "author-2"}}}},
        size=3,
    )
    assert found["hits"]["hits"][0]["_id"] == "42", found
    nested = es.search(
        index=INDEX,
        query={"nested": {"path": "reviews", "query": {"bool": {"filter": [{"term": {"reviews.by": "r1"}}, {"range": {"reviews.stars": {"gte": 4}}}]}}}},
        size=0,
        track_total_hits=True,
    )
    assert nested["hits"]["total"] == {"value": sum(1 for i in range(250) if i % 3 == 1 and i % 5 == 4), "relation": "eq"}, nested
    result = es.search(
        index=INDEX,
        size=0,
        aggs={
            "authors": {"terms": {"field": "author"}, "aggs": {"pages": {"stats": {"field": "pages"}}}},
            "months": {"date_histogram": {"field": "published", "calendar_interval": "month"}},
        },
    )["aggregations"]
    assert [b["doc_count"] for b in result["authors"]["buckets"]] == [50] * 5, result
    assert result["authors"]["buckets"][0]["pages"]["max"] == 245.0, result
    assert sum(b["doc_count"] for b in result["months"]["buckets"]) == 250
    answers = es.msearch(searches=[{"index": INDEX}, {"query": {"term": {"pages": 3}}}, {"index": "clients-py-none"}, {}])["responses"]
    assert answers[0]["hits"]["hits"][0]["_id"] == "3" and answers[1]["status"] == 404, answers


def page(es):
    seen, after = [], None
    while True:
        extra = {"search_after": after} if after else {}
        hits = es.search(index=INDEX, size=40, sort=[{"author": "asc"}, {"pages": "desc"}], source=False, **extra)["hits"]["hits"]
        if not hits:
            break
        seen += [h["_id"] for h in hits]
        after = hits[-1]["sort"]
    want = [str(i) for a in range(5) for i in range(249, -1, -1) if i % 5 == a]
    assert seen == want, (len(seen), seen[:10])


def update(es):
    current = es.get(index=INDEX, id="1")
    es.update(index=INDEX, id="1", doc={"pages": 100}, if_seq_no=current["_seq_no"], if_primary_term=current["_primary_term"])
    try:
        es.update(index=INDEX, id="1", doc={"pages": 101}, if_seq_no=current["_seq_no"], if_primary_term=current["_primary_term"])
        raise AssertionError("an outdated update was taken")
    except ConflictError as e:
        assert e.error == "version_conflict_engine_exception"
    assert es.update(index=INDEX, id="1", doc={"pages": 100})["result"] == "noop"
    assert es.update(index=INDEX, id="new", doc={"pages": 1}, doc_as_upsert=True)["result"] == "created"
    es.delete(index=INDEX, id="new", refresh="wait_for")


def aliases(es):
    es.indices.create(index=INDEX + "-2")
    es.indices.put_alias(index=INDEX, name=ALIAS)
    es.indices.update_aliases(
        actions=[{"remove": {"index": INDEX, "alias": ALIAS}}, {"add": {"index": INDEX + "-2", "alias": ALIAS, "is_write_index": True}}]
    )
    assert es.indices.exists_alias(name=ALIAS)
    assert list(es.indices.get_alias(name=ALIAS)) == [INDEX + "-2"]
    assert es.index(index=ALIAS, document={"a": 1})["_index"] == INDEX + "-2"
    es.indices.put_mapping(index=INDEX, properties={"later": {"type": "keyword"}})
    assert es.indices.get_mapping(index=INDEX)[INDEX]["mappings"]["properties"]["later"] == {"type": "keyword"}
    assert [t["token"] for t in es.indices.analyze(analyzer="standard", text="A b-C")["tokens"]] == ["a", "b", "c"]
    assert es.cluster.health(index=INDEX, wait_for_status="yellow")["status"] in ("yellow", "green")
    assert INDEX in es.cat.indices(index=INDEX, h="index")


def main(url):
    es = Elasticsearch(url, http_compress=True)
    assert es.ping()
    assert es.info()["tagline"] == "You Know, for Search"
    for step in (create, fill, read, search, page, update, aliases):
        step(es)
        print("ok", step.__name__)
    es.indices.delete(index=[INDEX, INDEX + "-2"])
    print("elasticsearch-py", ".".join(map(str, __version__)), "has done its day")


main(sys.argv[1])
