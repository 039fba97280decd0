"""The text of an access token: how it is drawn, known again, and taken out of what is written down.

It is `PREFIX`, then letters and digits that are drawn by chance, then a checksum: whoever looks for secrets in a text,
as a scanner of repositories does, finds it by the prefix and tells it from a mere likeness by the checksum.
"""

import re
from hashlib import sha256
from secrets import choice
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final
from zlib import crc32

PREFIX: Final = "gst_"
DRAWN: Final = 48
"""How many letters and digits are drawn: 285 bits of chance, of which 261 are not in `start_of`."""
CHECK: Final = 6
"""How many stand for the checksum, which is the CRC-32 of all before it."""
START: Final = len(PREFIX) + 4
"""How much of a token its owner is shown later, to tell it from others."""
_ALPHABET: Final = digits + ascii_uppercase + ascii_lowercase
_SHAPE: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{DRAWN + CHECK}}}", re.ASCII)
_SECRET: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]+|(?<=\bbearer )[^\s\"'\\]+", re.ASCII | re.IGNORECASE)


def draw() -> str:
    """Return a new token."""
    body = PREFIX + "".join(choice(_ALPHABET) for _ in range(DRAWN))
    return body + _checksum(body)


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token and the checksum that belongs to it."""
    return _SHAPE.fullmatch(text) is not None and text[-CHECK:] == _checksum(text[:-CHECK])


def start_of(text: str) -> str:
    """Return the start of a token, which opens nothing."""
    return text[:START]


def digest(text: str) -> str:
    """Return what is stored of a token: its SHA-256, in 64 hexadecimal digits.

    Hashes of passwords are slow since people choose passwords that can be guessed. Nobody guesses 285 bits of chance,
    so that a fast hash, without a salt, gives nothing away, and finds the row by its index.
    """
    return sha256(text.encode()).hexdigest()


def without_secrets(text: str) -> str:
    """Return a text with whatever looks like a token, or follows ``Bearer``, as dots."""
    return _SECRET.sub("…", text)


def _checksum(body: str) -> str:
    number, letters = crc32(body.encode()), ""
    for _ in range(CHECK):
        number, rest = divmod(number, len(_ALPHABET))
        letters = _ALPHABET[rest] + letters
    return letters
