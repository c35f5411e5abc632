"""A few connections to a database for many threads."""

from collections.abc import Callable
from threading import BoundedSemaphore, Lock, local
from typing import Generic, Protocol, TypeVar

from grognard.matches.storage.rows import Unusable
from grognard.parallel.undisturbed import undisturbed
from grognard.words.message import say

PATIENCE = 20  # seconds to wait for a free connection, or for a lock


class Connection(Protocol):
    """A connection that can be closed."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Connection)


class Connections(Generic[C]):
    """Connections that are made when they are needed, and used again; a thread has one at most."""

    def __init__(self, connect: Callable[[], C], most: int) -> None:
        self._connect = connect
        self._places = BoundedSemaphore(most)
        self._free: list[C] = []
        self._lock, self._opening = Lock(), Lock()
        self._own = local()
        self.is_open = False

    @property
    def own(self) -> C | None:
        """The connection that this thread has taken."""
        return getattr(self._own, "connection", None)

    @property
    def taken(self) -> C:
        """The connection that this thread has taken; it must have one."""
        if self.own is None:
            raise RuntimeError("statements run within a transaction")
        return self.own

    def open(self, begin: Callable[[], None], name: str) -> None:
        """Let connections be taken, and the first of them prepare the database, or refuse it by
        name; what is open stays open."""
        with undisturbed(), self._opening:
            if self.is_open:
                return
            self.is_open = True
            try:
                begin()
            except BaseException as error:
                self.close()
                if isinstance(error, Unusable):
                    raise type(error)(error.problem, source=name) from None
                raise

    def take(self) -> C:
        """Take a connection for this thread."""
        if not self._places.acquire(timeout=PATIENCE):
            raise Unusable(say("the matches can't be used: too many at once; try again"))
        try:
            with self._lock:
                if not self.is_open:
                    raise Unusable(say("the matches can't be used: the store is closed"))
                found = self._free.pop() if self._free else None
            connection = self._connect() if found is None else found
        except BaseException:
            self._places.release()
            raise
        self._own.connection = connection
        return connection

    def give_back(self, *, sound: bool = True) -> None:
        """Give this thread's connection back; one that is not sound is closed."""
        connection = self.taken
        self._own.connection = None
        with self._lock:
            keep = sound and self.is_open
            if keep:
                self._free.append(connection)
        if not keep:
            connection.close()
        self._places.release()

    def close(self) -> None:
        """Close all connections: the free ones now, the others when they are given back."""
        with self._lock:
            self.is_open = False
        self.drop()

    def drop(self) -> None:
        """Close the free connections."""
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.close()
