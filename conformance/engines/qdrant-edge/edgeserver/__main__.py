"""Serves a folder of collections on 127.0.0.1 until it is told to end."""

import argparse
import logging
import signal
import threading
from concurrent import futures
from pathlib import Path

import grpc

from . import access, stubs
from .collections_servicer import Collections
from .points_servicer import Points
from .storage import Collections as Storage

# The server whose service definitions and behaviour are followed.
VERSION = "1.18.3"


class Health(stubs.qdrant_service.QdrantServicer):
    def HealthCheck(self, request, context):
        return stubs.qdrant.HealthCheckReply(title="qdrant-edge behind Postern's shim", version=VERSION)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="edgeserver", description=__doc__)
    arguments.add_argument("--port", type=int, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--api-key", help="what clients have to send")
    arguments.add_argument("--tls", type=Path, nargs=2, metavar=("CERTIFICATE", "KEY"), default=(None, None))
    given = arguments.parse_args()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")

    storage = Storage(given.data)
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=32),
        interceptors=[access.ApiKey(given.api_key)] if given.api_key else [],
        options=[
            ("grpc.so_reuseport", 0),  # a second server on this port has to fail
            ("grpc.max_receive_message_length", -1),
            ("grpc.max_send_message_length", -1),
        ],
    )
    stubs.points_service.add_PointsServicer_to_server(Points(storage), server)
    stubs.collections_service.add_CollectionsServicer_to_server(Collections(storage), server)
    stubs.qdrant_service.add_QdrantServicer_to_server(Health(), server)
    access.listen(server, f"127.0.0.1:{given.port}", *given.tls)
    server.start()

    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
    server.stop(grace=2).wait()
    storage.close()


main()
