"""Filters: messages to the engine's."""

import numpy
import qdrant_edge as edge

from . import times
from .errors import bad_input
from .payloads import id_to_engine
from .stubs import common


def to_engine(message: common.Filter) -> edge.Filter:
    def conditions(field):
        return [_condition(c) for c in field] or None

    min_should = None
    if message.HasField("min_should"):
        min_should = edge.MinShould(
            [_condition(c) for c in message.min_should.conditions], message.min_should.min_count
        )
    return edge.Filter(
        must=conditions(message.must),
        should=conditions(message.should),
        must_not=conditions(message.must_not),
        min_should=min_should,
    )


def of_request(request, field: str = "filter") -> edge.Filter | None:
    return to_engine(getattr(request, field)) if request.HasField(field) else None


def _condition(message: common.Condition):
    match message.WhichOneof("condition_one_of"):
        case "field":
            return _field(message.field)
        case "is_empty":
            return edge.IsEmptyCondition(message.is_empty.key)
        case "is_null":
            return edge.IsNullCondition(message.is_null.key)
        case "has_id":
            return edge.HasIdCondition({id_to_engine(i) for i in message.has_id.has_id})
        case "filter":
            return to_engine(message.filter)
        case "nested":
            return edge.NestedCondition(message.nested.key, to_engine(message.nested.filter))
        case "has_vector":
            return edge.HasVectorCondition(message.has_vector.has_vector)
    raise bad_input("Malformed Condition type")


def _field(message: common.FieldCondition) -> edge.FieldCondition:
    given = {}
    if message.HasField("match"):
        given["match"] = _match(message.match)
    if message.HasField("range"):
        given["range"] = edge.RangeFloat(**_bounds(message.range))
    if message.HasField("datetime_range"):
        given["range"] = edge.RangeDateTime(**_bounds(message.datetime_range, times.to_engine))
    if message.HasField("geo_bounding_box"):
        box = message.geo_bounding_box
        given["geo_bounding_box"] = edge.GeoBoundingBox(_point(box.top_left), _point(box.bottom_right))
    if message.HasField("geo_radius"):
        given["geo_radius"] = edge.GeoRadius(_point(message.geo_radius.center), message.geo_radius.radius)
    if message.HasField("geo_polygon"):
        polygon = message.geo_polygon
        given["geo_polygon"] = edge.GeoPolygon(
            [_point(p) for p in polygon.exterior.points],
            [[_point(p) for p in line.points] for line in polygon.interiors] or None,
        )
    if message.HasField("values_count"):
        given["values_count"] = edge.ValuesCount(**_bounds(message.values_count))
    for flag in ("is_empty", "is_null"):
        if message.HasField(flag):
            given[flag] = getattr(message, flag)
    if not given:
        raise bad_input("At least one field condition must be specified")
    return edge.FieldCondition(message.key, **given)


def _bounds(message, convert=lambda bound: bound) -> dict:
    return {
        name: convert(getattr(message, name)) for name in ("lt", "gt", "gte", "lte") if message.HasField(name)
    }


def _point(message: common.GeoPoint) -> edge.GeoPoint:
    return edge.GeoPoint(message.lon, message.lat)


def _match(message: common.Match):
    match message.WhichOneof("match_value"):
        case "keyword":
            return edge.MatchValue(message.keyword)
        case "integer":
            return edge.MatchValue(message.integer)
        case "boolean":
            # The binding takes Python's own True for the integer 1.
            return edge.MatchValue(numpy.bool_(message.boolean))
        case "text":
            return edge.MatchText(message.text)
        case "text_any":
            return edge.MatchTextAny(message.text_any)
        case "phrase":
            return edge.MatchPhrase(message.phrase)
        case "keywords":
            return edge.MatchAny(list(message.keywords.strings))
        case "integers":
            return edge.MatchAny(list(message.integers.integers))
        case "except_keywords":
            return edge.MatchExcept(list(message.except_keywords.strings))
        case "except_integers":
            return edge.MatchExcept(list(message.except_integers.integers))
    raise bad_input("Malformed Match condition")
