"""The collections in a folder: one engine shard each, beside the request that made it."""

import shutil
import threading
from pathlib import Path

import qdrant_edge as edge

from . import vectors
from .errors import bad_input, collection_exists, no_collection, of_engine
from .stubs import collections

_CREATED = "created"  # the CreateCollection message
_SHARD = "shard"


class Collection:
    def __init__(self, folder: Path):
        self.created = collections.CreateCollection.FromString((folder / _CREATED).read_bytes())
        self.shard = edge.EdgeShard.load(str(folder / _SHARD))
        self.open = True
        self._lock = threading.Lock()

    def update(self, operation: edge.UpdateOperation) -> None:
        """Applies a write: one at a time, as a server's update worker does."""
        with self._lock:
            self.ask(lambda shard: shard.update(operation))

    def ask(self, question):
        """The engine's answer, or its error as a server would word it."""
        try:
            return question(self.shard)
        except Exception as error:
            if not self.open:
                raise no_collection(self.created.collection_name) from error
            raise of_engine(error) from error

    def close(self) -> None:
        with self._lock:
            self.open = False
            self.shard.close()


class Collections:
    """All collections below a folder. What create, delete and update have returned
    from is there again after the process was killed."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".*"):  # half made or half removed when the process ended
            shutil.rmtree(left)
        self._by_name = {f.name: Collection(f) for f in folder.iterdir()}

    def named(self, name: str) -> Collection:
        found = self._by_name.get(name)
        if found is None:
            raise no_collection(name)
        return found

    def names(self) -> list[str]:
        return sorted(self._by_name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def create(self, message: collections.CreateCollection) -> None:
        name = message.collection_name
        _check(name)
        config = vectors.config(message)
        with self._lock:
            if name in self._by_name:
                raise collection_exists(name)
            half = self._folder / f".new-{name}"
            half.mkdir()
            (half / _CREATED).write_bytes(message.SerializeToString())
            edge.EdgeShard.create(str(half / _SHARD), config).close()
            half.rename(self._folder / name)
            self._by_name[name] = Collection(self._folder / name)

    def delete(self, name: str) -> bool:
        with self._lock:
            found = self._by_name.pop(name, None)
            if found is None:
                return False
            found.close()
            half = self._folder / f".old-{name}"
            (self._folder / name).rename(half)
            shutil.rmtree(half)
            return True

    def close(self) -> None:
        with self._lock:
            for collection in self._by_name.values():
                collection.close()


def _check(name: str) -> None:
    if not 1 <= len(name) <= 255 or name.startswith("."):
        raise bad_input(f"collection name `{name}` is not valid")
    for forbidden in '<>:"/\\|?*\0\x1f':
        if forbidden in name:
            raise bad_input(f"collection name cannot contain {forbidden!r}")
