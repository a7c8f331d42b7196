"""Who may call: clients that know the API key, over TLS if there is a certificate."""

import hmac
from pathlib import Path

import grpc


class ApiKey(grpc.ServerInterceptor):
    """Refuses calls without the key, as a server does that has one."""

    def __init__(self, key: str):
        self._key = key.encode()

    def intercept_service(self, continuation, details):
        for name, value in details.invocation_metadata:
            if name == "api-key":
                if hmac.compare_digest(value.encode(), self._key):
                    return continuation(details)
                return _refuse("Invalid API key or JWT")
        return _refuse("Must provide an API key or an Authorization bearer token")


def _refuse(why: str) -> grpc.RpcMethodHandler:
    return grpc.unary_unary_rpc_method_handler(
        lambda request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, why)
    )


def listen(server: grpc.Server, address: str, certificate: Path | None, key: Path | None) -> None:
    if certificate is None:
        server.add_insecure_port(address)
    else:
        pair = (key.read_bytes(), certificate.read_bytes())
        server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
