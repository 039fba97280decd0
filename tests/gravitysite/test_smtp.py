"""A mail takes no longer than it may, whatever the mail server does."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from django.core.mail import EmailMessage, mailers
from pytest_django import Settings

from gravitysite import smtp
from gravitysite.smtp import PunctualBackend
from tests.conftest import Sink
from tests.services import HOST

type Serve = Callable[[socket.socket], None]


def slowly(seconds: float) -> Serve:
    """Return a mail server that takes its time for every answer."""

    def serve(client: socket.socket) -> None:
        lines = client.makefile("rb")
        time.sleep(seconds)
        client.sendall(b"220 here\r\n")
        in_mail = False
        for line in lines:
            if in_mail and line != b".\r\n":
                continue
            time.sleep(seconds)
            in_mail = line.upper().startswith(b"DATA")
            client.sendall(b"354 go on\r\n" if in_mail else b"250 well\r\n")

    return serve


def byte_by_byte(client: socket.socket) -> None:
    """Never end the first line."""
    while True:
        client.sendall(b"2")
        time.sleep(0.05)


def silently(client: socket.socket) -> None:
    """Say nothing."""
    client.recv(1)


@pytest.fixture
def server(settings: Settings) -> Iterator[Callable[[Serve], None]]:
    """Return a function that starts a mail server, to which mails then go."""
    with socket.create_server((HOST, 0)) as listener:

        def handle(serve: Serve, client: socket.socket) -> None:
            with suppress(OSError), client:
                serve(client)

        def start(serve: Serve) -> None:
            def accept() -> None:
                with suppress(OSError):
                    while True:
                        client, _address = listener.accept()
                        threading.Thread(target=handle, args=(serve, client), daemon=True).start()

            threading.Thread(target=accept, daemon=True).start()

        options = {"host": HOST, "port": listener.getsockname()[1], "timeout": 20}
        settings.MAILERS = {"default": {"BACKEND": "gravitysite.smtp.PunctualBackend", "OPTIONS": options}}
        yield start


def mail() -> EmailMessage:
    return EmailMessage("Hello", "Text", "from@example.org", ["to@example.org"])


@pytest.mark.parametrize("serve", [slowly(0.4), byte_by_byte, silently], ids=["slow", "byte by byte", "silent"])
def test_a_mail_server_that_takes_too_long_is_left_in_time(
    server: Callable[[Serve], None], monkeypatch: pytest.MonkeyPatch, serve: Serve
) -> None:
    monkeypatch.setattr(PunctualBackend, "within", 1.0)
    server(serve)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        mail().send()
    assert time.monotonic() - began < 3


def test_connecting_and_sending_share_one_deadline(
    server: Callable[[Serve], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PunctualBackend, "within", 1.0)
    server(slowly(0.3))  # 0.6 for greeting and name, 1.2 for the mail
    outlet = mailers.default
    outlet.open()
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        outlet.send_messages([mail()])
    assert time.monotonic() - began < 0.9
    outlet.close()


def test_a_mail_that_is_in_time_arrives_and_the_next_one_has_its_own_time(
    server: Callable[[Serve], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PunctualBackend, "within", 2.0)
    server(slowly(0.15))
    outlet = mailers.default
    outlet.open()
    for _mail in range(4):
        assert outlet.send_messages([mail()]) == 1
    outlet.close()


def test_a_slow_mail_server_has_two_connections_of_a_process_at_most(
    server: Callable[[Serve], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PunctualBackend, "within", 2.5)
    monkeypatch.setattr(smtp, "PATIENCE", 0.1)
    server(silently)
    took: list[float] = []

    def send() -> None:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            mail().send()
        took.append(time.monotonic() - began)

    threads = [threading.Thread(target=send) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(each > 1 for each in took) == 2
    assert smtp._connections._value == smtp.AT_ONCE


def test_a_mail_reaches_a_real_server(smtp_sink: Sink, settings: Settings) -> None:
    options = {"host": HOST, "port": smtp_sink.port, "timeout": 10}
    settings.MAILERS = {"default": {"BACKEND": "gravitysite.smtp.PunctualBackend", "OPTIONS": options}}
    mail().send()
    assert [message["Subject"] for message in smtp_sink.messages] == ["Hello"]
    assert smtp._connections._value == smtp.AT_ONCE
