"""A shop's search: fills a catalogue, answers customers, keeps stock, writes a log.

usage: shop.py URL [USER PASSWORD]
"""

import sys
import time

from elasticsearch import ConflictError, Elasticsearch, helpers

CATALOGUE, LOG = "shop-catalogue", "shop-log"

PRODUCTS = [
    ("p1", "Brass desk lamp", "lamp", 79.0, ["brass", "desk"], 4),
    ("p2", "Paper floor lamp", "lamp", 49.5, ["paper", "floor"], 11),
    ("p3", "Oak desk", "desk", 349.0, ["oak"], 2),
    ("p4", "Oak chair", "chair", 129.0, ["oak"], 8),
    ("p5", "Green reading lamp", "lamp", 119.0, ["brass", "green"], 0),
]


def set_up(es):
    for index in (CATALOGUE + "-1", LOG):
        es.options(ignore_status=404).indices.delete(index=index)
    es.indices.create(
        index=CATALOGUE + "-1",
        settings={"number_of_shards": 1, "number_of_replicas": 0},
        mappings={
            "dynamic": "strict",
            "properties": {
                "name": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
                "kind": {"type": "keyword"},
                "price": {"type": "double"},
                "tags": {"type": "keyword"},
                "stock": {"type": "integer"},
            },
        },
        aliases={CATALOGUE: {"is_write_index": True}},
    )


def fill(es):
    actions = (
        {"_index": CATALOGUE, "_id": id, "_source": {"name": name, "kind": kind, "price": price, "tags": tags, "stock": stock}}
        for id, name, kind, price, tags, stock in PRODUCTS
    )
    done, errors = helpers.bulk(es, actions, refresh="wait_for")
    assert (done, errors) == (len(PRODUCTS), []), errors


def find(es, words, kind=None):
    """The catalogue's page: hits, facets, and the range of prices."""
    query = {"bool": {"must": {"match": {"name": words}}, "filter": [{"range": {"stock": {"gt": 0}}}]}}
    if kind:
        query["bool"]["filter"].append({"term": {"kind": kind}})
    answer = es.search(
        index=CATALOGUE,
        query=query,
        size=2,
        sort=["_score", {"name.raw": "asc"}],
        source_includes=["name", "price"],
        aggs={
            "kinds": {"terms": {"field": "kind"}},
            "tags": {"terms": {"field": "tags", "size": 3}},
            "price": {"stats": {"field": "price"}},
        },
    )
    es.index(index=LOG, document={"at": "2026-12-01T10:00:00Z", "words": words, "hits": answer["hits"]["total"]["value"]})
    return answer


def sell(es, id):
    """Takes one from the stock, unless another till has been quicker."""
    seen = es.get(index=CATALOGUE, id=id)
    version = {"if_seq_no": seen["_seq_no"], "if_primary_term": seen["_primary_term"]}
    es.update(index=CATALOGUE, id=id, doc={"stock": seen["_source"]["stock"] - 1}, refresh=True, **version)
    try:
        es.update(index=CATALOGUE, id=id, doc={"stock": 99}, **version)
        raise AssertionError("a stale write was taken")
    except ConflictError as e:
        assert e.error == "version_conflict_engine_exception", e.error
    return es.get(index=CATALOGUE, id=id)["_source"]["stock"]


def main():
    es = Elasticsearch(sys.argv[1], basic_auth=tuple(sys.argv[2:4]) or None)
    assert es.ping() and es.info()["version"]["number"].startswith("8.")
    set_up(es)
    fill(es)
    lamps = find(es, "lamp")
    assert [h["_source"]["name"] for h in lamps["hits"]["hits"]] == ["Brass desk lamp", "Paper floor lamp"], lamps
    assert lamps["aggregations"]["price"]["max"] == 79.0
    assert find(es, "desk", kind="desk")["hits"]["total"]["value"] == 1
    assert sell(es, "p3") == 1
    time.sleep(1.2)  # the log is written without a refresh
    assert es.count(index=LOG)["count"] == 2
    ids = [h["_id"] for h in es.search(index=LOG, query={"term": {"words.keyword": "lamp"}})["hits"]["hits"]]
    assert es.mget(index=LOG, ids=ids)["docs"][0]["_source"]["hits"] == 2
    es.delete(index=CATALOGUE, id="p5")
    print("the shop is open")


main()
