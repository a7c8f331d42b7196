"""Vectors and their declarations: messages to the engine's and back."""

import qdrant_edge as edge

from .errors import bad_input, unimplemented
from .stubs import collections, points

# The engine wants at least one vector declared, a server does not: this one stands in
# where a collection declares none. No point has it.
HIDDEN = "_no_vector"

_DISTANCES = {
    collections.Cosine: edge.Distance.Cosine,
    collections.Euclid: edge.Distance.Euclid,
    collections.Dot: edge.Distance.Dot,
    collections.Manhattan: edge.Distance.Manhattan,
}
_DATATYPES = {
    collections.Float32: edge.VectorStorageDatatype.Float32,
    collections.Float16: edge.VectorStorageDatatype.Float16,
    collections.Uint8: edge.VectorStorageDatatype.Uint8,
}


def config(message: collections.CreateCollection) -> edge.EdgeConfig:
    """The engine's configuration for a collection as it was asked for."""
    dense = {}
    match message.vectors_config.WhichOneof("config"):
        case "params":
            dense[""] = _dense(message.vectors_config.params)
        case "params_map":
            dense = {name: _dense(p) for name, p in message.vectors_config.params_map.map.items()}
    sparse = {name: _sparse(p) for name, p in message.sparse_vectors_config.map.items()}
    if not dense and not sparse:
        sparse[HIDDEN] = edge.EdgeSparseVectorParams()
    return edge.EdgeConfig(vectors=dense or None, sparse_vectors=sparse or None)


def _dense(message: collections.VectorParams) -> edge.EdgeVectorParams:
    if message.size == 0:
        raise bad_input("vector size must be 1 or larger")
    if message.distance not in _DISTANCES:
        raise bad_input("Unable to convert distance")
    if message.HasField("quantization_config"):
        raise unimplemented("quantization")
    multivector = None
    if message.HasField("multivector_config"):
        multivector = edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim)
    return edge.EdgeVectorParams(
        size=message.size,
        distance=_DISTANCES[message.distance],
        datatype=_DATATYPES.get(message.datatype),
        multivector_config=multivector,
    )


def _sparse(message: collections.SparseVectorParams) -> edge.EdgeSparseVectorParams:
    return edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if message.modifier == collections.Idf else None)


def of_point(message: points.Vectors):
    """A point's vectors; none at all is allowed."""
    match message.WhichOneof("vectors_options"):
        case "vector":
            return to_engine(message.vector)
        case "vectors":
            return {name: to_engine(v) for name, v in message.vectors.vectors.items()}
    return {}


def to_engine(message):
    """One vector, of a point or of a query, in the current or in the old form."""
    match message.WhichOneof("vector" if "vector" in message.DESCRIPTOR.oneofs_by_name else "variant"):
        case "dense":
            return list(message.dense.data)
        case "sparse":
            return edge.SparseVector(list(message.sparse.indices), list(message.sparse.values))
        case "multi_dense":
            return [list(v.data) for v in message.multi_dense.vectors]
        case None if isinstance(message, points.Vector):
            if message.HasField("indices"):
                return edge.SparseVector(list(message.indices.data), list(message.data))
            return list(message.data)
        case other:
            raise unimplemented(f"a vector given as {other}")


def to_message(vectors, into: points.VectorsOutput) -> None:
    """The vectors of a point that the engine returned."""
    if isinstance(vectors, dict):
        into.vectors.SetInParent()
        for name, vector in vectors.items():
            _one_to_message(vector, into.vectors.vectors[name])
    elif vectors:
        _one_to_message(vectors, into.vector)


def _one_to_message(vector, into: points.VectorOutput) -> None:
    if isinstance(vector, edge.SparseVector):
        into.sparse.indices.extend(vector.indices)
        into.sparse.values.extend(vector.values)
    elif vector and isinstance(vector[0], list):
        for row in vector:
            into.multi_dense.vectors.add().data.extend(row)
    else:
        into.dense.data.extend(vector)


def with_vectors(request):
    """A request's vector selector: none when it does not say."""
    match request.with_vectors.WhichOneof("selector_options"):
        case "enable":
            return request.with_vectors.enable
        case "include":
            return list(request.with_vectors.include.names)
    return False
