"""Every host, found on this machine: for tests that may not ask the world for names."""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

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
