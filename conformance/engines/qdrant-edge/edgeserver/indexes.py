"""Payload indexes: their parameters as messages to the engine's, and back."""

import qdrant_edge as edge

from .errors import bad_input, unimplemented
from .stubs import collections, points

_TYPES = {
    points.FieldTypeKeyword: edge.PayloadSchemaType.Keyword,
    points.FieldTypeInteger: edge.PayloadSchemaType.Integer,
    points.FieldTypeFloat: edge.PayloadSchemaType.Float,
    points.FieldTypeGeo: edge.PayloadSchemaType.Geo,
    points.FieldTypeText: edge.PayloadSchemaType.Text,
    points.FieldTypeBool: edge.PayloadSchemaType.Bool,
    points.FieldTypeDatetime: edge.PayloadSchemaType.Datetime,
    points.FieldTypeUuid: edge.PayloadSchemaType.Uuid,
}
_PARAMETERS = {
    "keyword_index_params": edge.KeywordIndexParams,
    "integer_index_params": edge.IntegerIndexParams,
    "float_index_params": edge.FloatIndexParams,
    "geo_index_params": edge.GeoIndexParams,
    "text_index_params": edge.TextIndexParams,
    "bool_index_params": edge.BoolIndexParams,
    "datetime_index_params": edge.DatetimeIndexParams,
    "uuid_index_params": edge.UuidIndexParams,
}
_TOKENIZERS = {
    collections.Prefix: edge.TokenizerType.Prefix,
    collections.Whitespace: edge.TokenizerType.Whitespace,
    collections.Word: edge.TokenizerType.Word,
    collections.Multilingual: edge.TokenizerType.Multilingual,
}


def schema(request: points.CreateFieldIndexCollection):
    """What a request says of its index: a type alone, or a type's parameters."""
    kind = request.field_index_params.WhichOneof("index_params")
    if kind is not None:
        return _PARAMETERS[kind](**_given(getattr(request.field_index_params, kind)))
    if not request.HasField("field_type"):
        raise bad_input("field_type is missing")
    if request.field_type not in _TYPES:
        raise bad_input(f"Unknown field type: {request.field_type}")
    return _TYPES[request.field_type]


def _given(parameters) -> dict:
    given = {}
    for descriptor, value in parameters.ListFields():
        if descriptor.name in ("stopwords", "stemmer"):
            raise unimplemented(f"{descriptor.name} of a text index")
        given[descriptor.name] = _TOKENIZERS[value] if descriptor.name == "tokenizer" else value
    return given


def describe(index, into: collections.PayloadSchemaInfo) -> None:
    """Fills a collection's description of one index."""
    into.data_type = collections.PayloadSchemaType.Value(str(index.data_type).rpartition(".")[2])
    into.points = index.points
    for kind, of_engine in _PARAMETERS.items():
        if isinstance(index.params, of_engine):
            _describe_parameters(index.params, getattr(into.params, kind))


def _describe_parameters(parameters, into) -> None:
    into.SetInParent()
    for field in into.DESCRIPTOR.fields:
        value = getattr(parameters, field.name, None)
        if field.name == "tokenizer":
            value = next(message for message, of_engine in _TOKENIZERS.items() if of_engine == value)
        if isinstance(value, (bool, int)):
            setattr(into, field.name, value)
