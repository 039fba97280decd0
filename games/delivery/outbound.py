"""Calls to addresses that people or their browsers have named: public hosts alone, by https, all of it in bounded time.

The name of a host is looked up once for a call, and only where each address that it has is public one of these is
connected to: so what was checked is what is reached. No redirect is followed, no proxy asked, no cookie kept.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

PORTS: Final = frozenset({443, 8443})
NUMBER: Final = re.compile(r"[0-9]*|0x[0-9a-f]*")
CONNECT: Final = 5.0
WHOLE: Final = 10.0
"""Seconds that a connection, and a call as a whole, may take."""
AT_ONCE: Final = 20
"""How many calls are under way at once."""
LONGEST_WAIT: Final = timedelta(hours=6)
"""How long a server may ask to be left alone."""
TUNNELS: Final = tuple(ip_network(one) for one in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
"""Addresses that carry others within, which may be private."""


class Trouble(StrEnum):
    """Why an address can't be called, or did not take a call."""

    ADDRESS = "address"
    """Not an https address with the name of a host, and one of `PORTS` if any."""
    NO_HOST = "no-host"
    """The name of the host has no address."""
    PRIVATE = "private"
    """The host is not a public one."""
    CERTIFICATE = "certificate"
    NO_CONNECTION = "no-connection"
    NO_ANSWER = "no-answer"
    """The connection was made, and no whole answer came in time: the call may have been taken."""
    REFUSED = "refused"
    """The answer was no, or another address."""
    GONE = "gone"
    """There is nobody to take it any more."""


class AddressError(ValueError):
    """An address is none that may be called."""


class PrivateHostError(OSError):
    """A host has an address that is not public."""


@dataclass(frozen=True, slots=True)
class Call:
    """A POST to be made."""

    address: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a call."""

    trouble: Trouble | None = None
    """None: it was taken."""
    status: int = 0
    """The status of the answer, 0 for none."""
    wait: timedelta | None = None
    """For how long the server wants to be left alone."""


def check_address(address: str) -> None:
    """Raise `AddressError` for what is no https address of a host with a name, on one of `PORTS`."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise AddressError from error
    host = parts.hostname or ""
    named = "." in host.strip(".") and not _is_number(host)
    if parts.scheme != "https" or not named or port not in {None, *PORTS} or "@" in parts.netloc or parts.fragment:
        raise AddressError
    if not address.isascii() or not address.isprintable() or " " in address:
        raise AddressError


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one that anybody on the Internet reaches alike."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in net for net in TUNNELS):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


class PublicResolver(AbstractResolver):
    """Looks names up, and refuses those with any address that is not public."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host. Raises `PrivateHostError`, or `socket.gaierror` where it has none."""
        found = await asyncio.get_running_loop().getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        for *_kind, where in found:
            if not is_public(ip_address(str(where[0]).partition("%")[0])):
                raise PrivateHostError(host)
        return [
            ResolveResult(
                hostname=host, host=str(where[0]), port=port, family=kind, proto=proto, flags=socket.AI_NUMERICHOST
            )
            for kind, _type, proto, _name, where in found
        ]

    async def close(self) -> None:
        """Nothing is kept."""


def call_all[Key](
    calls: Mapping[Key, Call], *, resolver: AbstractResolver | None = None, tls: ssl.SSLContext | None = None
) -> dict[Key, Answer]:
    """Make all calls, `AT_ONCE` of them at a time; return what became of each.

    They are made in a thread with a loop of its own, since the one that asks may have a loop. Tests say which hosts
    there are (``resolver``), and whom to trust (``tls``).
    """
    if not calls:
        return {}
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, _call_all(calls, resolver or PublicResolver(), tls)).result()


async def _call_all[Key](
    calls: Mapping[Key, Call], resolver: AbstractResolver, tls: ssl.SSLContext | None
) -> dict[Key, Answer]:
    connector = aiohttp.TCPConnector(
        resolver=resolver, ssl=tls or True, use_dns_cache=False, limit=AT_ONCE, force_close=True
    )
    async with aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(sock_connect=CONNECT),
        trust_env=False,
        auto_decompress=False,
    ) as session:
        free = asyncio.Semaphore(AT_ONCE)
        answers = await asyncio.gather(*(_call(session, call, free) for call in calls.values()))
    return dict(zip(calls, answers, strict=True))


async def _call(session: aiohttp.ClientSession, call: Call, free: asyncio.Semaphore) -> Answer:  # noqa: PLR0911
    try:
        check_address(call.address)  # a number instead of a name would not pass the resolver
    except AddressError:
        return Answer(Trouble.ADDRESS)
    try:
        async with (
            free,
            asyncio.timeout(WHOLE),
            session.post(call.address, data=call.body, headers=call.headers, allow_redirects=False) as response,
        ):
            return _read(response.status, response.headers.get("Retry-After", ""))
    except (AddressError, aiohttp.InvalidURL):
        return Answer(Trouble.ADDRESS)
    except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError):
        return Answer(Trouble.CERTIFICATE)
    except aiohttp.ClientConnectorDNSError as error:
        return Answer(Trouble.PRIVATE if isinstance(error.os_error, PrivateHostError) else Trouble.NO_HOST)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        return Answer(Trouble.NO_CONNECTION)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return Answer(Trouble.NO_ANSWER)


def _read(status: int, retry_after: str) -> Answer:
    """Return what an answer says. Its body is never read."""
    if 200 <= status < 300:
        return Answer(status=status)
    seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 8 else 0
    wait = min(timedelta(seconds=seconds), LONGEST_WAIT) if seconds else None
    return Answer(Trouble.GONE if status in {404, 410} else Trouble.REFUSED, status, wait)


def _is_number(host: str) -> bool:
    """Return whether a host ends in a number, and so is one in some spelling: no top-level domain is."""
    last = host.rstrip(".").rpartition(".")[2]
    return ":" in host or NUMBER.fullmatch(last) is not None
