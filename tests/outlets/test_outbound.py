"""Calls to addresses that people name reach public hosts by https, and nothing else, in bounded time."""

import asyncio
import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any

import pytest

from games.delivery import outbound
from games.delivery.outbound import (
    AddressError,
    Answer,
    Call,
    PrivateHostError,
    PublicResolver,
    Trouble,
    call_all,
    check_address,
    is_public,
)
from games.words.outlets import TROUBLES
from tests.outlets.conftest import NAME, Receiver
from tests.outlets.nearby import Nearby

BAD = [
    "http://receiver.example/hook",
    "ftp://receiver.example/hook",
    "https://localhost/hook",
    "https://127.0.0.1/hook",
    "https://[::1]/hook",
    "https://[::ffff:127.0.0.1]/hook",
    "https://10.0.0.7:8443/",
    "https://127.1/x",
    "https://0x7f.0.0.1/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://1.1.1.1./",
    "https://user:word@receiver.example/",
    "https://receiver.example:22/",
    "https://receiver.example:0/",
    "https://receiver.example:99999/",
    "https://receiver.example/#part",
    "https://receiver.example/a b",
    "https://receiver.example/\n",
    "https://réceiver.example/",
    "https://./",
    "https:///hook",
    "receiver.example",
    "",
]
PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
]


def names(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every name have these addresses."""

    def look_up(_host: str, port: int, *_args: Any, **_options: Any) -> list[Any]:
        families = {4: socket.AF_INET, 6: socket.AF_INET6}
        return [(families[ip_address(one).version], socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.parametrize("address", BAD)
def test_what_is_no_public_https_address_is_refused(address: str) -> None:
    with pytest.raises(AddressError):
        check_address(address)


@pytest.mark.parametrize(
    "address", ["https://receiver.example", "https://a.b.example:8443/x?y=z", "https://x.example:443/"]
)
def test_an_https_address_of_a_host_with_a_name_is_taken(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_private_address_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["8.8.8.8", "::1"], ["169.254.169.254"]])
def test_a_name_with_any_private_address_is_not_called(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    names(found, monkeypatch)
    # In a thread of its own: a browser's tests may have left a loop in this one.
    with ThreadPoolExecutor(1) as thread, pytest.raises(PrivateHostError):
        thread.submit(asyncio.run, PublicResolver().resolve("receiver.example", 443)).result()
    assert call_all({1: Call("https://receiver.example/", b"")}) == {1: Answer(Trouble.PRIVATE)}


@pytest.mark.parametrize("host", ["127.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1."])
def test_a_number_is_not_even_looked_up(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: pytest.fail("looked up"))
    assert call_all({1: Call(f"https://{host}/", b"")}) == {1: Answer(Trouble.ADDRESS)}


def test_what_was_looked_up_is_what_is_connected_to(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver, tls: ssl.SSLContext
) -> None:
    """A name that means another host when it is looked up again leads nowhere else: it is looked up once."""
    nearby = Nearby(receiver.port)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: pytest.fail("looked up twice"))
    answers = call_all({1: Call(receiver.url(), b"{}")}, resolver=nearby, tls=tls)
    assert answers == {1: Answer(status=204)}
    assert nearby.asked == [NAME]


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        (200, None),
        (204, None),
        (301, Trouble.REFUSED),
        (307, Trouble.REFUSED),
        (400, Trouble.REFUSED),
        (404, Trouble.GONE),
        (410, Trouble.GONE),
        (429, Trouble.REFUSED),
        (500, Trouble.REFUSED),
    ],
)
def test_an_answer_says_whether_a_call_was_taken(
    receiver: Receiver, tls: ssl.SSLContext, status: int, trouble: Trouble | None
) -> None:
    receiver.status = status
    receiver.headers = {"Location": "https://elsewhere.example/", "Set-Cookie": "a=b"}
    nearby = Nearby(receiver.port)
    (answer,) = call_all({1: Call(receiver.url(), b"{}")}, resolver=nearby, tls=tls).values()
    assert (answer.trouble, answer.status) == (trouble, status)
    assert nearby.asked == [NAME]  # no redirect is followed
    assert len(receiver.taken) == 1


@pytest.mark.parametrize(
    ("said", "seconds"), [("120", 120), ("9999999", 6 * 3600), ("soon", None), ("-5", None), ("٣", None)]
)
def test_a_server_that_wants_to_be_left_alone_is_for_a_bounded_time(
    receiver: Receiver, tls: ssl.SSLContext, said: str, seconds: int | None
) -> None:
    receiver.status = 429
    receiver.headers = {"Retry-After": said.encode().decode("latin-1")}
    (answer,) = call_all({1: Call(receiver.url(), b"")}, resolver=Nearby(receiver.port), tls=tls).values()
    assert (None if answer.wait is None else answer.wait.total_seconds()) == seconds


def test_a_server_that_nobody_trusts_is_told_nothing(receiver: Receiver) -> None:
    answers = call_all({1: Call(receiver.url(), b"secret")}, resolver=Nearby(receiver.port))
    assert answers == {1: Answer(Trouble.CERTIFICATE)}
    assert receiver.taken == []


def test_a_certificate_of_another_name_is_not_trusted(receiver: Receiver, tls: ssl.SSLContext) -> None:
    answers = call_all({1: Call("https://another.example/", b"x")}, resolver=Nearby(receiver.port), tls=tls)
    assert answers == {1: Answer(Trouble.CERTIFICATE)}


def test_slow_servers_hold_up_no_others_and_end_in_time(
    receiver: Receiver, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "WHOLE", 1.0)
    receiver.delay = 3
    began = time.monotonic()
    calls = {number: Call(receiver.url(), b"") for number in range(outbound.AT_ONCE)}
    answers = call_all(calls, resolver=Nearby(receiver.port), tls=tls)
    assert set(answers.values()) == {Answer(Trouble.NO_ANSWER)}
    assert time.monotonic() - began < 15  # one after the other they would take 20 s at least


def test_where_nobody_listens_there_is_no_connection(tls: ssl.SSLContext, receiver: Receiver) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        answers = call_all({1: Call(receiver.url(), b"")}, resolver=Nearby(closed.getsockname()[1]), tls=tls)
    assert answers == {1: Answer(Trouble.NO_CONNECTION)}


def test_every_trouble_has_words() -> None:
    assert set(TROUBLES) == set(Trouble)


def test_no_call_makes_no_loop() -> None:
    assert call_all({}) == {}
