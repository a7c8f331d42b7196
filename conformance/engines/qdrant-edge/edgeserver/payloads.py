"""Payload values and point ids: messages to the engine's Python values and back."""

import math
import uuid

import qdrant_edge as edge

from .errors import bad_input
from .stubs import common, json, points


def to_engine(value: json.Value):
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        return {k: to_engine(v) for k, v in value.struct_value.fields.items()}
    if kind == "list_value":
        return [to_engine(v) for v in value.list_value.values]
    if kind is None or kind == "null_value":
        return None
    if kind == "double_value" and not math.isfinite(value.double_value):
        raise bad_input("cannot convert to json number")
    return getattr(value, kind)


def payload_to_engine(fields) -> dict:
    return {k: to_engine(v) for k, v in fields.items()}


_INT64 = range(-(1 << 63), 1 << 63)


def to_message(value, into: json.Value) -> None:
    if value is None:
        into.null_value = json.NULL_VALUE
    elif isinstance(value, bool):
        into.bool_value = value
    elif isinstance(value, int):
        if value in _INT64:
            into.integer_value = value
        else:
            into.double_value = float(value)
    elif isinstance(value, float):
        into.double_value = value
    elif isinstance(value, str):
        into.string_value = value
    elif isinstance(value, list):
        into.list_value.SetInParent()
        for item in value:
            to_message(item, into.list_value.values.add())
    else:
        into.struct_value.SetInParent()
        for key, item in value.items():
            to_message(item, into.struct_value.fields[key])


def payload_to_message(payload, into) -> None:
    for key, value in (payload or {}).items():
        to_message(value, into[key])


def id_to_engine(point_id: common.PointId):
    kind = point_id.WhichOneof("point_id_options")
    if kind == "num":
        return point_id.num
    if kind is None:
        raise bad_input("Malformed PointId type")
    try:
        return uuid.UUID(point_id.uuid)
    except ValueError:
        raise bad_input(f"Unable to parse UUID: {point_id.uuid}") from None


def id_to_message(point_id, into: common.PointId) -> None:
    if isinstance(point_id, int):
        into.num = point_id
    else:
        into.uuid = str(point_id)


def with_payload(request, default: bool):
    """A request's payload selector; default is what an absent one means."""
    if not request.HasField("with_payload"):
        return default
    selector = request.with_payload
    match selector.WhichOneof("selector_options"):
        case "enable":
            return selector.enable
        case "include":
            return edge.PayloadSelector.Include(list(selector.include.fields))
        case "exclude":
            return edge.PayloadSelector.Exclude(list(selector.exclude.fields))
    raise bad_input("Malformed WithPayloadSelector type")


def order_value_to_message(value, into: points.OrderValue) -> None:
    if isinstance(value, int):
        into.int = value
    else:
        into.float = value
