"""A player of boardgame.io: as much of WebSocket and Socket.IO as it takes to send turns and wait for their answers.

As little work as possible, since clients share the processors with the servers.
"""

import json
import socket
import time
from typing import Final, Self

from tests.services import HOST

GAME: Final = "stars"
PATIENCE: Final = 20.0
"""Seconds for which an answer is waited for."""
WAYS: Final = "ESWSENNE"
HANDSHAKE: Final = (
    f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {HOST}\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
TEXT: Final = 0x81
"""The first byte of a frame that is a whole text."""
NO_MASK: Final = b"\0\0\0\0"
"""What a client has to mask its frames with: any key will do, and this one leaves them as they are."""


class Match:
    """A match of two, both played over one connection; made by the server when it is first asked for."""

    def __init__(self, port: int, name: str) -> None:
        self.name, self.turns = name, 0
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        self.socket.sendall(HANDSHAKE.encode())
        while self.stream.readline().strip():
            pass
        self._send(f"40/{GAME},")
        self._wait_for(f"40/{GAME},")
        self._emit("sync", name, "0", None, 2)
        self._wait_for(f'42/{GAME},["sync"')

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stream.close()
        self.socket.close()

    def play(self, number: int) -> int:
        """Play turns, each after the answer to the one before; return how many."""
        for _turn in range(number):
            seat = str(self.turns % 2)
            step = {"type": "step", "args": [WAYS[self.turns % len(WAYS)]], "playerID": seat}
            self._emit("update", {"type": "MAKE_MOVE", "payload": step}, self.turns, self.name, seat)
            self.turns += 1
            answer = self._wait_for(f'42/{GAME},["update"')
            if f'"_stateID":{self.turns}'.encode() not in answer:
                raise ConnectionError("the server answered with another state")
        return number

    def _emit(self, event: str, *args: object) -> None:
        self._send(f"42/{GAME},{json.dumps([event, *args])}")

    def _wait_for(self, start: str) -> bytes:
        """Return the next message that starts so; answer the server when it asks whether anybody is there."""
        give_up = time.monotonic() + PATIENCE
        while not (message := self._receive()).startswith(start.encode()):
            if message == b"2":
                self._send("3")
            if time.monotonic() > give_up:
                raise TimeoutError(f"the server did not answer {start}")
        return message

    def _send(self, text: str) -> None:
        content = text.encode()
        size = len(content)
        head = bytes([TEXT, 0x80 | size]) if size < 126 else bytes([TEXT, 0xFE]) + size.to_bytes(2)
        self.socket.sendall(head + NO_MASK + content)

    def _receive(self) -> bytes:
        first, size = self.stream.read(2)
        if first != TEXT:
            raise ConnectionError("the server sent something else than a text")
        if size > 125:
            size = int.from_bytes(self.stream.read(2 if size == 126 else 8))
        return self.stream.read(size)
