"""A server that takes webhooks and pushes in place of the world's, a browser that opens pushes, and the hour hand."""

import json
import ssl
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import urandom
from threading import Thread
from typing import Any

import http_ece
import pytest
import trustme
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from accounts.models import User
from games import commands
from games.delivery import outlets
from games.delivery.hook import make_secret
from games.delivery.outbound import call_all
from games.notices.kinds import HookStyle
from games.notices.models import Outlet
from tests.flows.play import NOW
from tests.outlets.nearby import Nearby
from tests.services import HOST

NAME = "receiver.example"
"""What the server is called; its certificate says so too."""


@dataclass
class Taken:
    """A call that came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """What the server got, and what it says: to each path another thing, if asked to."""

    port: int = 0
    taken: list[Taken] = field(default_factory=list)
    status: int = 204
    says: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0

    def url(self, path: str = "/hook") -> str:
        return f"https://{NAME}{path}"


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def tls(authority: trustme.CA) -> ssl.SSLContext:
    """Trust the server, and nobody else."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def receiver(authority: trustme.CA) -> Iterator[Receiver]:
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.taken.append(Taken(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            time.sleep(kept.delay)
            self.send_response(kept.says.get(self.path, kept.status))
            for name, value in kept.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(NAME).configure_cert(context)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    kept.port = server.server_port
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield kept
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def sweep(receiver: Receiver, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> "Sweep":
    nearby = partial(call_all, resolver=Nearby(receiver.port), tls=tls)
    monkeypatch.setattr(outlets, "call_all", nearby)
    return Sweep(receiver)


@dataclass
class Sweep:
    """The sweep of outlets, with time in minutes after `NOW`."""

    receiver: Receiver

    def __call__(self, minutes: float) -> list[Taken]:
        """Sweep at that minute; return what came."""
        before = len(self.receiver.taken)
        outlets.call_due(after(minutes))
        return self.receiver.taken[before:]


def after(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


@dataclass
class Browser:
    """A browser's subscription: what it tells the site, and what it needs to open a push."""

    address: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: urandom(16))

    def form(self) -> dict[str, str]:
        """Return what its page sends."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"address": self.address, "public_key": _base64(point), "secret": _base64(self.auth)}

    def open(self, push: Taken) -> Any:
        """Return what a push says."""
        sealed = push.body
        return json.loads(
            http_ece.decrypt(sealed, private_key=self.key, auth_secret=self.auth, version="aes128gcm").decode()
        )


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def add_browser(user: User, address: str, *, session: str = "one", now: datetime = NOW) -> Browser:
    """Let a browser be notified, in which a person is signed in."""
    browser = Browser(address)
    key = f"{session}-{user.pk}"
    UserSession.objects.get_or_create(session_key=key, defaults={"user": user, "ip": HOST, "user_agent": "Firefox"})
    commands.add_device(user=user, session_key=key, name="Firefox", **browser.form(), now=now)
    return browser


def add_hook(user: User, address: str, style: HookStyle = HookStyle.JSON, *, now: datetime = NOW) -> Outlet:
    """Give a person a webhook."""
    secret = make_secret() if style is HookStyle.JSON else ""
    return commands.add_hook(user=user, name=f"My {style}", style=style, address=address, secret=secret, now=now)
