"""Every host, found on this machine, and pushes that nobody seals: for tests that may not ask the world."""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from games.delivery.content import News
from games.delivery.outbound import Call
from games.delivery.push import push_body
from games.notices.models import Outlet
from tests.services import HOST


class Nearby(AbstractResolver):
    """Finds every host on this machine, at the port of the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[str] = []

    async def resolve(
        self,
        host: str,
        port: int = 0,  # noqa: ARG002 - where it really listens is another one
        family: socket.AddressFamily = socket.AF_INET,
    ) -> list[ResolveResult]:
        self.asked.append(host)
        return [ResolveResult(hostname=host, host=HOST, port=self.port, family=family, proto=0, flags=0)]

    async def close(self) -> None:
        """Nothing is kept."""


def unsealed(outlet: Outlet, news: News, *, waiting: int, **_terms: object) -> Call:
    """Return the call of a push as it is before it is sealed."""
    return Call(outlet.address, push_body(news, waiting))
