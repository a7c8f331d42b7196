"""Writes: messages to the engine's update operations."""

import qdrant_edge as edge

from . import filters, vectors
from .errors import bad_input
from .payloads import id_to_engine, payload_to_engine
from .stubs import points

_MODES = {
    points.Upsert: edge.UpdateMode.Upsert,
    points.InsertOnly: edge.UpdateMode.InsertOnly,
    points.UpdateOnly: edge.UpdateMode.UpdateOnly,
}
_Operation = edge.UpdateOperation


def upsert(message) -> edge.UpdateOperation:
    given = [
        edge.Point(id_to_engine(p.id), vectors.of_point(p.vectors), payload_to_engine(p.payload))
        for p in message.points
    ]
    mode = _MODES[message.update_mode] if message.HasField("update_mode") else None
    return _Operation.upsert_points(given, condition=filters.of_request(message, "update_filter"), update_mode=mode)


def delete(selector: points.PointsSelector) -> edge.UpdateOperation:
    return _of_selector(selector, _Operation.delete_points, _Operation.delete_points_by_filter)


def set_payload(message) -> edge.UpdateOperation:
    return _payload(message, _Operation.set_payload, _Operation.set_payload_by_filter)


def overwrite_payload(message) -> edge.UpdateOperation:
    return _payload(message, _Operation.overwrite_payload, _Operation.overwrite_payload_by_filter)


def _payload(message, by_ids, by_filter):
    key = message.key if message.HasField("key") else None
    return _of_selector(message.points_selector, by_ids, by_filter, payload_to_engine(message.payload), key)


def delete_payload(message) -> edge.UpdateOperation:
    return _of_selector(
        message.points_selector, _Operation.delete_payload, _Operation.delete_payload_by_filter, list(message.keys)
    )


def clear_payload(selector: points.PointsSelector) -> edge.UpdateOperation:
    return _of_selector(selector, _Operation.clear_payload, _Operation.clear_payload_by_filter)


def update_vectors(message) -> edge.UpdateOperation:
    given = [edge.PointVectors(id_to_engine(p.id), vectors.of_point(p.vectors)) for p in message.points]
    return _Operation.update_vectors(given, condition=filters.of_request(message, "update_filter"))


def delete_vectors(selector: points.PointsSelector, names) -> edge.UpdateOperation:
    return _of_selector(selector, _Operation.delete_vectors, _Operation.delete_vectors_by_filter, list(names))


def of_batch(message: points.PointsUpdateOperation) -> edge.UpdateOperation:
    kind = message.WhichOneof("operation")
    operation = getattr(message, kind) if kind else None
    match kind:
        case "upsert":
            return upsert(operation)
        case "delete_points":
            return delete(operation.points)
        case "delete_deprecated":
            return delete(operation)
        case "set_payload":
            return set_payload(operation)
        case "overwrite_payload":
            return overwrite_payload(operation)
        case "delete_payload":
            return delete_payload(operation)
        case "clear_payload":
            return clear_payload(operation.points)
        case "clear_payload_deprecated":
            return clear_payload(operation)
        case "update_vectors":
            return update_vectors(operation)
        case "delete_vectors":
            return delete_vectors(operation.points_selector, operation.vectors.names)
    raise bad_input("PointsUpdateOperation is missing an operation")


def _of_selector(selector: points.PointsSelector, by_ids, by_filter, *arguments):
    match selector.WhichOneof("points_selector_one_of"):
        case "points":
            return by_ids([id_to_engine(i) for i in selector.points.ids], *arguments)
        case "filter":
            return by_filter(filters.to_engine(selector.filter), *arguments)
    raise bad_input("PointsSelector is missing")
