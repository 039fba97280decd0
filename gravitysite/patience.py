"""The worker of gunicorn that serves the site: no thread of it ever waits for a client.

gunicorn's own threads read a request, and write its answer, for as long as the client takes over it, so that as many
clients as there are threads stop the site with a byte now and then. Here the loop that accepts connections also gathers
the requests and sends the answers, of all clients at once. A thread gets a request when all of it is there.
"""

import re
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from selectors import EVENT_READ, EVENT_WRITE
from socket import SHUT_WR, socket
from typing import Any, Final

from gunicorn.workers.gthread import TConn, ThreadWorker

READ_WITHIN: Final = 20.0
"""Seconds in which a whole request must have come."""
SEND_WITHIN: Final = 60.0
"""Seconds in which a client must have taken a whole answer."""
LINGER: Final = 2.0
"""Seconds for which a refused client may still read why, and a slow one may end its request when the site stops."""
MAX_HEAD: Final = 64 * 1024
MAX_BODY: Final = 128 * 1024
"""Bytes of a request. The largest form of the site is a message."""
CHUNK: Final = 64 * 1024

_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding:[^\r]*chunked[ \t]*\r\n", re.IGNORECASE)
_EXPECTS: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class PatientSocket:
    """A client's socket that is never waited for: what it does not take at once is kept in ``unsent``."""

    def __init__(self, client: socket) -> None:
        client.setblocking(False)
        self._client = client
        self.unsent = bytearray()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - the signature of a socket
        """Stay as it is: gunicorn would let its threads wait."""

    def settimeout(self, seconds: float | None) -> None:
        """Stay as it is: gunicorn would let its threads wait."""

    def sendall(self, data: bytes) -> None:
        """Send what goes at once, and keep the rest."""
        self.unsent += data
        self.flush()

    def flush(self) -> None:
        """Send what goes at once of what was kept. Raises `OSError` if the client is gone."""
        with suppress(BlockingIOError):
            while self.unsent:
                del self.unsent[: self._client.send(self.unsent)]

    def close(self) -> None:
        """Close, and forget what was not sent."""
        self.unsent.clear()
        self._client.close()


class RefusedError(Exception):
    """A request that is not read to its end; ``status`` says why."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


@dataclass(slots=True)
class Request:
    """The bytes of a request as they come.

    It finds nothing but the request's end. gunicorn reads the bytes again, by its own strict rules; should it see the
    end farther off, it finds nothing there and closes the connection.
    """

    data: bytearray
    expects: bool = False
    """Whether the client waits for a word before it sends the body."""
    _searched: int = 0
    _body: int = 0
    _end: int = 0
    _chunked: bool = False

    def is_complete(self) -> bool:
        """Return whether all of it is there. Raises `RefusedError` when it is too large."""
        if not self._body:
            self._find_body()
            if not self._body:
                return False
        if self._chunked and not self._walk_chunks():
            self._refuse(len(self.data) - self._body > MAX_BODY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return False
        self._refuse(self._end - self._body > MAX_BODY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return len(self.data) >= self._end

    def _find_body(self) -> None:
        at = self.data.find(b"\r\n\r\n", max(0, self._searched - 3))
        self._searched = len(self.data)
        self._refuse(max(at, 0) > MAX_HEAD or (at < 0 and self._searched > MAX_HEAD))
        if at < 0:
            return
        head = bytes(self.data[: at + 2])
        length = _LENGTH.search(head)
        self._body = at + 4
        self._end = self._body + (int(length[1]) if length else 0)
        self._chunked = _CHUNKED.search(head) is not None
        self.expects = _EXPECTS.search(head) is not None

    def _walk_chunks(self) -> bool:
        """Go over the chunks that are there; return whether the last one is."""
        while (line := self.data.find(b"\r\n", self._end)) >= 0:
            try:
                size = int(bytes(self.data[self._end : line]).partition(b";")[0], 16)
            except ValueError:
                return True  # gunicorn says what is wrong with it
            if size == 0:
                trailer = self.data.find(b"\r\n\r\n", line)
                self._end = max(self._end, trailer + 4)
                return trailer >= 0
            self._refuse(size > MAX_BODY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            self._end = line + 2 + size + 2
        return False

    @staticmethod
    def _refuse(too_large: bool, status: HTTPStatus = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) -> None:  # noqa: FBT001
        if too_large:
            raise RefusedError(status)


@dataclass(slots=True)
class Wait:
    """What the loop waits for at one client."""

    go_on: Callable[[], None]
    until: float
    began: float = field(default_factory=time.monotonic)
    request: Request | None = None


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn states no types
    """gunicorn's worker with threads, in which only the loop waits for clients.

    Where more than half of the connections are waited for, the one that has kept the loop waiting longest is closed.
    TLS is the proxy's part.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cfg.set("sendfile", False)  # it would write to the client past `PatientSocket`
        self.waits: dict[TConn, Wait] = {}

    def enqueue_req(self, conn: TConn) -> None:
        """Gather a request of a connection from which one can be expected; then let a thread answer it."""
        if not isinstance(conn.sock, PatientSocket):
            conn.sock = PatientSocket(conn.sock)
        conn.init()
        request = Request(bytearray(conn.parser.unreader.take_buffered()))
        self._wait(conn, EVENT_READ, partial(self._read, conn, request), READ_WITHIN, request)
        if request.data:
            self._advance(conn, request)

    def finish_request(self, conn: TConn, future: "Future[Any]") -> None:
        """Send the rest of an answer; then close the connection, or keep it for the next request."""
        try:
            conn.sock.flush()
        except OSError:
            self._drop(conn)
            return
        if conn.sock.unsent:
            if conn not in self.waits:
                self._wait(conn, EVENT_WRITE, partial(self.finish_request, conn, future), SEND_WITHIN)
            return
        self._forget(conn)
        super().finish_request(conn, future)

    def murder_pending(self) -> None:
        """Refuse the clients that have taken too long; the loop calls this every second."""
        super().murder_pending()
        now = time.monotonic()
        for conn, wait in list(self.waits.items()):
            until = wait.until if self.alive else min(wait.until, wait.began + LINGER)
            if now < until:
                continue
            if wait.request is not None and wait.request.data:
                self._refuse(conn, HTTPStatus.REQUEST_TIMEOUT)
            else:
                self._drop(conn)

    def _wait(
        self, conn: TConn, event: int, go_on: Callable[[], None], seconds: float, request: Request | None = None
    ) -> None:
        self.waits[conn] = Wait(go_on, time.monotonic() + seconds, request=request)
        self.poller.register(conn.sock, event, lambda _client: go_on())
        if len(self.waits) > self.worker_connections // 2:
            self._drop(next(iter(self.waits)))

    def _read(self, conn: TConn, request: Request) -> None:
        try:
            came = conn.sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            came = b""
        if came:
            request.data += came
            self._advance(conn, request)
        else:
            self._drop(conn)

    def _advance(self, conn: TConn, request: Request) -> None:
        """Give a request that is complete to a thread."""
        try:
            complete = request.is_complete()
        except RefusedError as refused:
            self._refuse(conn, refused.status)
            return
        if complete:
            self._forget(conn)
            conn.parser.unreader.unread(bytes(request.data))
            conn.data_ready = True
            super().enqueue_req(conn)
        elif request.expects:
            request.expects = False
            conn.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _refuse(self, conn: TConn, status: HTTPStatus) -> None:
        """Answer without reading on, and listen for a moment to nothing, lest the answer be lost."""
        self._forget(conn)
        line = f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        try:
            conn.sock.sendall(line.encode())
            conn.sock.shutdown(SHUT_WR)
        except OSError:
            self._drop(conn)
            return
        self._wait(conn, EVENT_READ, partial(self._discard, conn), LINGER)

    def _discard(self, conn: TConn) -> None:
        try:
            ended = not conn.sock.recv(CHUNK)
        except OSError:
            ended = True
        if ended:
            self._drop(conn)

    def _forget(self, conn: TConn) -> None:
        if self.waits.pop(conn, None) is not None:
            self.poller.unregister(conn.sock)

    def _drop(self, conn: TConn) -> None:
        self._forget(conn)
        self.nr_conns -= 1
        conn.close()
