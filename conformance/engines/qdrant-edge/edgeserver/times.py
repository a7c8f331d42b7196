"""Timestamps of messages as the RFC 3339 text that the engine reads."""

from datetime import datetime, timedelta, timezone

from .errors import bad_input

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def to_engine(timestamp) -> str:
    try:
        moment = _EPOCH + timedelta(seconds=timestamp.seconds)
    except OverflowError:
        raise bad_input(f"Unable to parse timestamp: {timestamp.seconds}") from None
    return f"{moment:%Y-%m-%dT%H:%M:%S}".zfill(19) + f".{timestamp.nanos:09d}Z"
