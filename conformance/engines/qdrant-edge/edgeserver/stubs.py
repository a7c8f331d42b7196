"""Qdrant's messages and servicers, as qdrant-client ships them.

Importing qdrant_client itself would load its HTTP client and its models, which takes
seconds at each start; a bare parent package gives the generated modules alone.
"""

import sys
import types
from importlib import metadata

_parent = types.ModuleType("qdrant_client")
_parent.__path__ = [str(metadata.distribution("qdrant-client").locate_file("qdrant_client"))]
sys.modules.setdefault("qdrant_client", _parent)

from qdrant_client.grpc import (  # noqa: E402
    collections_pb2 as collections,
    collections_service_pb2_grpc as collections_service,
    json_with_int_pb2 as json,
    points_pb2 as points,
    points_service_pb2_grpc as points_service,
    qdrant_common_pb2 as common,
    qdrant_pb2 as qdrant,
    qdrant_pb2_grpc as qdrant_service,
)

__all__ = [
    "collections",
    "collections_service",
    "common",
    "json",
    "points",
    "points_service",
    "qdrant",
    "qdrant_service",
]
