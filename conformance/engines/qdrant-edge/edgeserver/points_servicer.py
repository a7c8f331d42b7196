"""The service Points: documents."""

import logging
import time

import qdrant_edge as edge

from . import filters, indexes, queries, updates, vectors
from .errors import Refused, answers, invalid
from .payloads import id_to_engine, id_to_message, order_value_to_message, payload_to_message, with_payload
from .storage import Collection, Collections
from .stubs import points, points_service


class Points(points_service.PointsServicer):
    def __init__(self, collections: Collections):
        self._collections = collections

    def _of(self, request) -> Collection:
        return self._collections.named(request.collection_name)

    @answers
    def Upsert(self, request):
        return self._write(request, updates.upsert(request))

    @answers
    def Delete(self, request):
        return self._write(request, updates.delete(request.points))

    @answers
    def SetPayload(self, request):
        return self._write(request, updates.set_payload(request))

    @answers
    def OverwritePayload(self, request):
        return self._write(request, updates.overwrite_payload(request))

    @answers
    def DeletePayload(self, request):
        return self._write(request, updates.delete_payload(request))

    @answers
    def ClearPayload(self, request):
        return self._write(request, updates.clear_payload(request.points))

    @answers
    def UpdateVectors(self, request):
        return self._write(request, updates.update_vectors(request))

    @answers
    def DeleteVectors(self, request):
        return self._write(request, updates.delete_vectors(request.points_selector, request.vectors.names))

    @answers
    def CreateFieldIndex(self, request):
        operation = edge.UpdateOperation.create_field_index(request.field_name, indexes.schema(request))
        return self._write(request, operation)

    @answers
    def DeleteFieldIndex(self, request):
        return self._write(request, edge.UpdateOperation.delete_field_index(request.field_name))

    @answers
    def UpdateBatch(self, request):
        started = time.monotonic()
        collection = self._of(request)
        operations = [updates.of_batch(o) for o in request.operations]
        status = [_apply(collection, o, request.wait) for o in operations]
        return points.UpdateBatchResponse(
            result=[points.UpdateResult(status=s) for s in status], time=time.monotonic() - started
        )

    def _write(self, request, operation: edge.UpdateOperation) -> points.PointsOperationResponse:
        started = time.monotonic()
        status = _apply(self._of(request), operation, request.wait)
        return points.PointsOperationResponse(
            result=points.UpdateResult(status=status), time=time.monotonic() - started
        )

    @answers
    def Get(self, request):
        started = time.monotonic()
        ids = [id_to_engine(i) for i in request.ids]
        payload, vector = with_payload(request, default=True), vectors.with_vectors(request)
        records = self._of(request).ask(lambda shard: shard.retrieve(ids, payload, vector))
        answer = points.GetResponse(time=time.monotonic() - started)
        for record in records:
            _record(record, answer.result.add())
        return answer

    @answers
    def Scroll(self, request):
        started = time.monotonic()
        asked = queries.scroll(request)
        records, following = self._of(request).ask(lambda shard: shard.scroll(asked))
        answer = points.ScrollResponse(time=time.monotonic() - started)
        for record in records:
            _record(record, answer.result.add())
        if following is not None:
            id_to_message(following, answer.next_page_offset)
        return answer

    @answers
    def Count(self, request):
        started = time.monotonic()
        exact = request.exact if request.HasField("exact") else True
        asked = edge.CountRequest(exact=exact, filter=filters.of_request(request))
        count = self._of(request).ask(lambda shard: shard.count(asked))
        return points.CountResponse(result=points.CountResult(count=count), time=time.monotonic() - started)

    @answers
    def Facet(self, request):
        started = time.monotonic()
        if request.HasField("limit") and request.limit == 0:
            raise invalid("limit", 0, "must be 1 or larger")
        asked = edge.FacetRequest(
            request.key, limit=queries.limit(request), exact=request.exact, filter=filters.of_request(request)
        )
        found = self._of(request).ask(lambda shard: shard.facet(asked))
        answer = points.FacetResponse(time=time.monotonic() - started)
        for hit in found.hits:
            into = answer.hits.add(count=hit.count)
            if isinstance(hit.value, bool):
                into.value.bool_value = hit.value
            elif isinstance(hit.value, int):
                into.value.integer_value = hit.value
            else:
                into.value.string_value = str(hit.value)
        return answer

    @answers
    def Search(self, request):
        started = time.monotonic()
        asked = queries.search(request)
        found = self._of(request).ask(lambda shard: shard.search(asked))
        return _scored(found, points.SearchResponse(time=time.monotonic() - started))

    @answers
    def Query(self, request):
        return self._query(request)

    @answers
    def QueryBatch(self, request):
        started = time.monotonic()
        answer = points.QueryBatchResponse()
        for one in request.query_points:
            one.collection_name = request.collection_name
            answer.result.add().result.extend(self._query(one).result)
        answer.time = time.monotonic() - started
        return answer

    def _query(self, request: points.QueryPoints) -> points.QueryResponse:
        started = time.monotonic()
        asked = queries.query(request)
        found = self._of(request).ask(lambda shard: shard.query(asked))
        return _scored(found, points.QueryResponse(time=time.monotonic() - started))


def _apply(collection: Collection, operation: edge.UpdateOperation, wait: bool):
    """A write that nobody waits for reports no error, as on a server; here it is done
    before the answer all the same."""
    try:
        collection.update(operation)
    except Refused:
        if wait:
            raise
        logging.warning("a write that was not waited for failed", exc_info=True)
    return points.Completed if wait else points.Acknowledged


def _record(record: edge.Record, into) -> None:
    id_to_message(record.id, into.id)
    payload_to_message(record.payload, into.payload)
    if record.vector:
        vectors.to_message(record.vector, into.vectors)
    if record.order_value is not None:
        order_value_to_message(record.order_value, into.order_value)


def _scored(found, answer):
    for point in found:
        into = answer.result.add(score=point.score, version=point.version)
        _record(point, into)
    return answer
