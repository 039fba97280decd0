"""Web Push: news for a browser, sealed so that no push service can read them (RFC 8030, 8291, 8292)."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid
from pywebpush import WebPusher

from games.delivery.content import News, shorten
from games.delivery.outbound import Call
from games.notices.models import Outlet

KEPT_FOR: Final = timedelta(days=1)
"""For how long a push service keeps what it can't deliver yet."""
SIGNED_FOR: Final = timedelta(hours=12)
TITLE: Final = 120
BODY: Final = 600
"""How many characters are told at most: a push has room for some 3 kB."""
BASE64: Final = re.compile(r"[A-Za-z0-9_-]+")
"""As browsers write it: for addresses, without padding."""
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256, below which its private keys are."""


def push_call(outlet: Outlet, news: News, *, waiting: int, urgent: bool, now: datetime) -> Call:
    """Return the call that brings news to a browser, and in how many games its person is to move.

    A later one about the same game takes its place there.
    """
    subscription = {"endpoint": outlet.address, "keys": {"p256dh": outlet.public_key, "auth": outlet.secret}}
    site = urlsplit(outlet.address)
    signed: Mapping[str, str] = _vapid().sign(  # type: ignore[no-untyped-call]
        {
            "aud": f"{site.scheme}://{site.netloc}",
            "exp": int((now + SIGNED_FOR).timestamp()),
            "sub": f"mailto:{settings.CONTACT}",
        }
    )
    headers = {
        "Authorization": signed["Authorization"],
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT_FOR.total_seconds())),
        "Urgency": "high" if urgent else "normal",
        "Topic": _about(news),
    }
    return Call(outlet.address, WebPusher(subscription).encode(push_body(news, waiting), "aes128gcm")["body"], headers)


def push_body(news: News, waiting: int) -> bytes:
    """Return what a browser shows of news, before it is sealed."""
    content = {
        "title": shorten(news.subject, TITLE),
        "body": shorten("\n".join(news.in_short), BODY),
        "url": news.link,
        "tag": _about(news),
        "waiting": waiting,
    }
    return json.dumps(content, ensure_ascii=False).encode()


@cache
def public_key() -> str:
    """Return the key by which browsers know this site (VAPID): an uncompressed point in base64, without padding."""
    point = _vapid().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _vapid() -> Vapid:
    """Return the site's key pair. It follows from the secret key, with which all sessions, and so all devices, end."""
    seed = HKDF(SHA256(), 48, salt=None, info=b"gravity web push").derive(settings.SECRET_KEY.encode())
    number = int.from_bytes(seed) % (ORDER - 1) + 1
    return Vapid(ec.derive_private_key(number, ec.SECP256R1()))  # type: ignore[no-untyped-call]


def are_keys(public: str, secret: str) -> bool:
    """Return whether these are the keys of a subscription: a point of P-256 and 16 bytes, in base64 for addresses."""
    try:
        point, auth = _decode(public), _decode(secret)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == 65 and len(auth) == 16


def _about(news: News) -> str:
    """Return the game in whose place of a push a later one is put."""
    return news.key or "games"


def _decode(text: str) -> bytes:
    if not BASE64.fullmatch(text):
        raise ValueError(text)
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
