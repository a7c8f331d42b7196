"""The service Collections."""

import time

from . import indexes
from .errors import answers
from .storage import Collections as Storage
from .stubs import collections, collections_service


class Collections(collections_service.CollectionsServicer):
    def __init__(self, storage: Storage):
        self._storage = storage

    @answers
    def Create(self, request):
        started = time.monotonic()
        self._storage.create(request)
        return collections.CollectionOperationResponse(result=True, time=time.monotonic() - started)

    @answers
    def Delete(self, request):
        started = time.monotonic()
        removed = self._storage.delete(request.collection_name)
        return collections.CollectionOperationResponse(result=removed, time=time.monotonic() - started)

    @answers
    def CollectionExists(self, request):
        exists = request.collection_name in self._storage
        return collections.CollectionExistsResponse(result=collections.CollectionExists(exists=exists))

    @answers
    def List(self, request):
        return collections.ListCollectionsResponse(
            collections=[collections.CollectionDescription(name=n) for n in self._storage.names()]
        )

    @answers
    def Get(self, request):
        found = self._storage.named(request.collection_name)
        info = found.ask(lambda shard: shard.info())
        answer = collections.GetCollectionInfoResponse()
        result = answer.result
        result.status = collections.Green
        result.optimizer_status.ok = True
        result.segments_count = info.segments_count
        result.points_count = info.points_count
        result.indexed_vectors_count = info.indexed_vectors_count
        _describe(found.created, result.config)
        for field, index in info.payload_schema.items():
            indexes.describe(index, result.payload_schema[field])
        return answer


def _describe(created: collections.CreateCollection, into: collections.CollectionConfig) -> None:
    """A collection's configuration: what it was created with, and a server's defaults."""
    params = into.params
    params.shard_number = created.shard_number or 1
    params.on_disk_payload = created.on_disk_payload if created.HasField("on_disk_payload") else True
    params.replication_factor = created.replication_factor or 1
    params.write_consistency_factor = created.write_consistency_factor or 1
    if created.HasField("vectors_config"):
        params.vectors_config.CopyFrom(created.vectors_config)
    if created.HasField("sparse_vectors_config"):
        params.sparse_vectors_config.CopyFrom(created.sparse_vectors_config)
    for part in ("hnsw_config", "wal_config"):
        if created.HasField(part):
            getattr(into, part).CopyFrom(getattr(created, part))
    if created.HasField("optimizers_config"):
        into.optimizer_config.CopyFrom(created.optimizers_config)
    for key, value in created.metadata.items():
        into.metadata[key].CopyFrom(value)
