"""Clients that take their time, by malice or over a bad line, cost other people nothing. Real gunicorn and sockets."""

import http.client
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from tests.services import HOST
from tests.stack.people import make_people
from tests.stack.stack import SITE_HOST, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

CLIENTS = 40
QUICK = 8.0
"""Seconds in which a guest's page is there, on a machine that is busy with other tests; it is half a minute without."""
HEAD = f"Host: {SITE_HOST}\r\nX-Forwarded-Proto: https\r\n"
POST = f"POST /accounts/login/ HTTP/1.1\r\n{HEAD}Content-Type: application/x-www-form-urlencoded\r\n"


def trickles(start: str) -> Callable[[socket.socket], None]:
    """Return a client that sends a beginning, and then nothing."""
    return lambda client: client.sendall(start.encode())


def never_reads(client: socket.socket) -> None:
    """Ask for more than the buffers between hold, and take none of it."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    path = "/static/vendor/htmx/htmx.min.js"
    with suppress(OSError):
        client.sendall(f"GET /rules/ HTTP/1.1\r\n{HEAD}\r\n".encode() * 40 + f"GET {path} HTTP/1.1\r\n".encode())


def never_closes(client: socket.socket) -> None:
    """Get an answer whole and stay, though the connection is over."""
    client.sendall(f"GET /healthz HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())


KINDS = {
    "half a body": trickles(f"{POST}Content-Length: 500\r\n\r\nlogin="),
    "half a chunk": trickles(f"{POST}Transfer-Encoding: chunked\r\n\r\nff\r\nlogin="),
    "half a head": trickles(f"{POST}X-Slow: "),
    "not a word": trickles(""),
    "an answer that nobody reads": never_reads,
    "an end that nobody answers": never_closes,
}


@pytest.fixture
def many(running_stack: Stack) -> Iterator[Callable[[Callable[[socket.socket], None]], list[socket.socket]]]:
    """Return a function that connects many clients of one kind."""
    with ExitStack() as connections:

        def connect(begin: Callable[[socket.socket], None]) -> list[socket.socket]:
            clients = []
            for _number in range(CLIENTS):
                client = connections.enter_context(socket.create_connection((HOST, running_stack.port), timeout=30))
                begin(client)
                clients.append(client)
            return clients

        yield connect


def slowest_page(stack: Stack, times: int = 5) -> float:
    """Return the most seconds that a guest waits for a page, over connections of their own."""
    worst = 0.0
    for _time in range(times):
        began = time.monotonic()
        connection = http.client.HTTPConnection(HOST, stack.port, timeout=30)
        connection.request("GET", "/lobby/", headers={"Host": SITE_HOST, "X-Forwarded-Proto": "https"})
        response = connection.getresponse()
        response.read()
        connection.close()
        assert response.status == 200
        worst = max(worst, time.monotonic() - began)
    return worst


@pytest.mark.parametrize("kind", KINDS)
def test_a_guests_page_is_there_at_once_whatever_forty_slow_clients_do(
    running_stack: Stack, many: Callable[..., list[socket.socket]], kind: str
) -> None:
    slowest_page(running_stack)
    clients = many(KINDS[kind])
    for _round in range(3):
        assert slowest_page(running_stack) < QUICK
        for client in clients:
            with suppress(OSError):
                client.sendall(b"x" if kind.startswith("half") else b"")


def answer_of(client: socket.socket) -> str:
    """Return all that a client is told before the connection ends."""
    with client.makefile("rb") as answer:
        return answer.read().decode()


def test_who_does_not_send_the_rest_of_a_form_is_told_so_in_half_a_minute(
    running_stack: Stack, many: Callable[..., list[socket.socket]]
) -> None:
    client = many(KINDS["half a body"])[0]
    began = time.monotonic()
    assert answer_of(client).startswith("HTTP/1.1 408 ")
    assert 15 < time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        (f"{POST}Content-Length: 10000000\r\n\r\n", 413),
        (f"{POST}Transfer-Encoding: chunked\r\n\r\nfffffff\r\n", 413),
        (f"{POST}X-Long: {'x' * 70_000}\r\n\r\n", 431),
        (f"{POST}Content-Length: 5, 5\r\n\r\nlogin", 400),
        (f"{POST}Transfer-Encoding: chunked\r\n\r\nzz\r\nlogin", 400),
    ],
    ids=["a long body", "a long chunk", "a long head", "two lengths", "no chunk"],
)
def test_a_request_that_is_too_large_or_none_is_refused_at_once(
    running_stack: Stack, many: Callable[..., list[socket.socket]], request_text: str, status: int
) -> None:
    client = many(trickles(request_text))[0]
    assert f"HTTP/1.1 {status} " in answer_of(client)


def test_forms_that_come_byte_by_byte_in_chunks_or_two_at_once_are_each_answered(running_stack: Stack) -> None:
    body = "login=nobody%40people.example&password=wrong"
    form = f"{POST}Content-Length: {len(body)}\r\n\r\n{body}"
    last = form.replace(HEAD, f"{HEAD}Connection: close\r\n")
    chunks = "".join(f"1\r\n{letter}\r\n" for letter in body) + "0\r\n\r\n"
    chunked = f"{POST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
    for pieces, answers in ((last, 1), ([chunked], 1), (chunked, 1), ([form * 3 + last], 4)):
        with socket.create_connection((HOST, running_stack.port), timeout=30) as client:
            for piece in pieces:
                client.sendall(piece.encode())
            # Read whole, and refused for the missing token alone.
            assert answer_of(client).count("HTTP/1.1 403 ") == answers


def test_who_asks_before_sending_a_form_is_told_to_go_on(running_stack: Stack) -> None:
    with socket.create_connection((HOST, running_stack.port), timeout=10) as client:
        client.sendall(f"{POST}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n".encode())
        assert client.recv(100).startswith(b"HTTP/1.1 100 Continue")
        client.sendall(b"login")
        response = http.client.HTTPResponse(client)
        response.begin()
        assert response.status == 403


def test_a_large_answer_reaches_a_client_that_reads_it_slowly(running_stack: Stack) -> None:
    (ada,) = make_people(running_stack, "Slow")
    whole = ada.get("/rules/").body.encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect((HOST, running_stack.port))
        client.sendall(f"GET /rules/ HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())
        got = b""
        while piece := client.recv(4096):
            got += piece
            time.sleep(0.002)
    assert len(got) > len(whole) * 0.9
    assert got.rstrip().endswith(b"</html>")
