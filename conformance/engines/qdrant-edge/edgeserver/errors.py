"""Errors with the gRPC status and the wording of a Qdrant server."""

import logging

import grpc


class Refused(Exception):
    """An answer other than OK."""

    def __init__(self, code: grpc.StatusCode, message: str):
        super().__init__(message)
        self.code = code
        self.message = message


def bad_input(message: str) -> Refused:
    return Refused(grpc.StatusCode.INVALID_ARGUMENT, f"Wrong input: {message}")


def invalid(field: str, value: object, why: str) -> Refused:
    """What the server's validator of messages says."""
    return Refused(
        grpc.StatusCode.INVALID_ARGUMENT,
        f"Validation error in body: [{field}: value {value} invalid, {why}]",
    )


def no_collection(name: str) -> Refused:
    return Refused(grpc.StatusCode.NOT_FOUND, f"Not found: Collection `{name}` doesn't exist!")


def collection_exists(name: str) -> Refused:
    return Refused(grpc.StatusCode.ALREADY_EXISTS, f"Already exists: Collection `{name}` already exists!")


def unimplemented(what: str) -> Refused:
    """What the shim does not pass on; a real server may."""
    return Refused(grpc.StatusCode.UNIMPLEMENTED, f"this stand-in does not support {what}")


# What the engine says when it is asked for something that is not there; it has one
# exception for all its errors, whose text alone tells them apart.
_NOT_FOUND = ("No point with id",)
_INTERNAL = ("Service internal error", "Service runtime error", "IO Error")


def of_engine(error: Exception) -> Refused:
    """The status that a server gives to an error of its engine."""
    text = str(error)
    if text.startswith(_NOT_FOUND):
        return Refused(grpc.StatusCode.NOT_FOUND, f"Not found: {text}")
    if text.startswith(_INTERNAL):
        return Refused(grpc.StatusCode.INTERNAL, text)
    return bad_input(text)


def answers(method):
    """Turns what a servicer's method raises into the call's status."""

    def call(self, request, context):
        try:
            return method(self, request)
        except Refused as refused:
            context.abort(refused.code, refused.message)
        except ValueError as malformed:  # the binding's own, for a path or a number it can't take
            refused = bad_input(str(malformed))
            context.abort(refused.code, refused.message)
        except Exception as error:
            logging.exception("%s failed", method.__name__)
            context.abort(grpc.StatusCode.INTERNAL, f"Service internal error: {error}")

    call.__name__ = method.__name__
    return call
