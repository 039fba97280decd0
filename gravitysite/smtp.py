"""Mail over SMTP that ends in time, however slowly the mail server answers: one mail has one deadline."""

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, socket
from threading import BoundedSemaphore, Event, Thread
from time import monotonic
from typing import Any, Final

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

WITHIN: Final = 100.0
"""Seconds for a mail, connecting included: a quarter of a minute for each step of the protocol."""
GOODBYE: Final = 3.0
"""Seconds for taking leave of the server."""
AT_ONCE: Final = 2
"""Connections of one process, so that a slow mail server never holds all threads of one that has several."""
PATIENCE: Final = 1.0
"""Seconds for which a mail waits for one of them."""

_connections = BoundedSemaphore(AT_ONCE)


class PunctualBackend(EmailBackend):
    """Django's SMTP backend, in which connecting and sending a mail take no more than ``within`` seconds together.

    A limit on each single wait ends nothing where answers come byte by byte, or late and many. Here a thread cuts the
    connection when the time is over. Raises `TimeoutError` then, and where no connection is free.
    """

    within: float = WITHIN

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ends: float | None = None  # of the mail for which the connection was made
        self._made: smtplib.SMTP | None = None
        self._counted = False

    @property
    def connection_class(self) -> Any:
        """Return what makes a connection; unlike the class itself it lets the connection be cut while it is made."""
        return self._connect

    def open(self) -> bool | None:
        """Connect, unless that is done."""
        if self.connection is not None:
            return False
        if not _connections.acquire(timeout=PATIENCE):
            raise TimeoutError("every connection to the mail server is in use")
        self._counted = True
        self._ends = monotonic() + self.within
        try:
            with self._ending_at(self._ends):
                return super().open()
        except BaseException:
            self._give_back()
            raise

    def close(self) -> None:
        """Take leave of the server."""
        try:
            with self._ending_at(monotonic() + GOODBYE):
                super().close()
        finally:
            self._give_back()

    def _send(self, message: EmailMessage) -> bool:
        ends, self._ends = self._ends or monotonic() + self.within, None
        with self._ending_at(ends):
            return bool(super()._send(message))  # type: ignore[misc]

    def _connect(self, host: str, port: int, **params: Any) -> smtplib.SMTP:
        made = (smtplib.SMTP_SSL if self.use_ssl else smtplib.SMTP)(**params)
        made._host = host  # type: ignore[attr-defined]  # which the constructor would note, for the certificate
        self._made = made
        code, words = made.connect(host, port)
        if code != 220:
            made.close()
            raise smtplib.SMTPConnectError(code, words)
        return made

    def _give_back(self) -> None:
        if self._counted:
            self._counted = False
            _connections.release()

    @contextmanager
    def _ending_at(self, ends: float) -> Iterator[None]:
        """Cut the connection at an instant of the steady clock if the block still runs then."""
        done, late = Event(), Event()

        def watch() -> None:
            seconds = max(0.0, ends - monotonic())
            while not done.wait(seconds):
                late.set()
                self._cut()
                seconds = 0.5

        watcher = Thread(target=watch, name="mail deadline", daemon=True)
        watcher.start()
        try:
            yield
        except OSError as error:
            if late.is_set():
                raise TimeoutError("the mail server took too long") from error
            raise
        finally:
            done.set()
            watcher.join()

    def _cut(self) -> None:
        sock = None if self._made is None else self._made.sock
        if sock is not None:
            with suppress(OSError):
                socket.shutdown(sock, SHUT_RDWR)  # past TLS, which would first say goodbye
