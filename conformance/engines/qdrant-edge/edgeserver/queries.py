"""Reads that order or score: messages to the engine's requests."""

import qdrant_edge as edge

from . import filters, times, vectors
from .errors import bad_input, invalid, unimplemented
from .payloads import id_to_engine, with_payload
from .stubs import points

DEFAULT_LIMIT = 10


def limit(request, field: str = "limit") -> int:
    """A limit that may be left out but not be zero."""
    if not request.HasField(field):
        return DEFAULT_LIMIT
    if getattr(request, field) == 0:
        raise invalid(field, 0, "must be 1 or larger")
    return getattr(request, field)


def order_by(message: points.OrderBy) -> edge.OrderBy:
    start = None
    match message.start_from.WhichOneof("value"):
        case "float":
            start = message.start_from.float
        case "integer":
            start = message.start_from.integer
        case "timestamp":
            start = times.to_engine(message.start_from.timestamp)
        case "datetime":
            start = message.start_from.datetime
    direction = edge.Direction.Desc if message.direction == points.Desc else edge.Direction.Asc
    return edge.OrderBy(message.key, direction, start)


def scroll(request: points.ScrollPoints) -> edge.ScrollRequest:
    return edge.ScrollRequest(
        offset=id_to_engine(request.offset) if request.HasField("offset") else None,
        limit=limit(request),
        filter=filters.of_request(request),
        with_payload=with_payload(request, default=True),
        with_vector=vectors.with_vectors(request),
        order_by=order_by(request.order_by) if request.HasField("order_by") else None,
    )


def search(request: points.SearchPoints) -> edge.SearchRequest:
    """The older form of a nearest-neighbour query."""
    if request.limit == 0:
        raise invalid("limit", 0, "must be 1 or larger")
    vector = list(request.vector)
    if request.HasField("sparse_indices"):
        vector = edge.SparseVector(list(request.sparse_indices.data), vector)
    return edge.SearchRequest(
        query=edge.Query.Nearest(vector, request.vector_name or None),
        limit=request.limit,
        offset=request.offset,
        filter=filters.of_request(request),
        params=_parameters(request),
        with_vector=vectors.with_vectors(request),
        with_payload=with_payload(request, default=False),
        score_threshold=_threshold(request),
    )


def query(request: points.QueryPoints) -> edge.QueryRequest:
    return edge.QueryRequest(
        limit=limit(request),
        offset=request.offset,
        query=_scoring(request),
        prefetches=[_prefetch(p) for p in request.prefetch] or None,
        with_vector=vectors.with_vectors(request),
        with_payload=with_payload(request, default=False),
        filter=filters.of_request(request),
        score_threshold=_threshold(request),
        params=_parameters(request),
    )


def _prefetch(message: points.PrefetchQuery) -> edge.Prefetch:
    return edge.Prefetch(
        limit=limit(message),
        query=_scoring(message),
        prefetches=[_prefetch(p) for p in message.prefetch] or None,
        params=_parameters(message),
        filter=filters.of_request(message),
        score_threshold=_threshold(message),
    )


def _scoring(message):
    if message.HasField("lookup_from"):
        raise unimplemented("lookup_from")
    if not message.HasField("query"):
        return None
    match message.query.WhichOneof("variant"):
        case "nearest":
            return edge.Query.Nearest(vectors.to_engine(message.query.nearest), message.using or None)
        case "order_by":
            return order_by(message.query.order_by)
        case "fusion":
            return edge.Fusion.Dbsf() if message.query.fusion == points.DBSF else edge.Fusion.Rrf()
        case "rrf":
            return edge.Fusion.Rrf(message.query.rrf.k) if message.query.rrf.HasField("k") else edge.Fusion.Rrf()
        case "sample":
            return edge.Sample.Random
        case None:
            raise bad_input("Query variant is missing")
        case other:
            raise unimplemented(f"the query {other}")


def _threshold(message):
    return message.score_threshold if message.HasField("score_threshold") else None


def _parameters(message) -> edge.SearchParams | None:
    if not message.HasField("params"):
        return None
    asked = message.params
    if asked.HasField("quantization") or asked.HasField("acorn"):
        raise unimplemented("params.quantization and params.acorn")
    return edge.SearchParams(
        hnsw_ef=asked.hnsw_ef if asked.HasField("hnsw_ef") else None,
        exact=asked.exact,
        indexed_only=asked.indexed_only,
    )
