"""Links in what people write: safe to show, and saying where they lead."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urlsplit

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

ADDRESS: Final = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
"""What may be an address, up to what can't be part of one."""
TRAILING: Final = ".,;:!?'*_~…”’»)]}"
"""What ends a sentence rather than an address."""
CLOSING: Final = {")": "(", "]": "[", "}": "{"}
"""What may end an address after all, where it closes what was opened in it."""
HOST: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z][a-z0-9-]{0,61}[a-z0-9]\.?")
LONGEST_HOST: Final = 253
SHOWN: Final = 30
"""So many characters of an address behind its host are shown."""


def link_up(text: str) -> SafeString:
    """Return a text as HTML in which web addresses are links, and everything else stands as it was typed.

    A link shows its host whole, as the network knows it (``xn--`` for letters outside ASCII), and what follows, cut and
    encoded: nothing in it can look like another address, or be invisible. What is no plain address, such as one that
    has a password in it, stays text.
    """
    return mark_safe("".join(_pieces(text)))  # noqa: S308 - each piece is escaped


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for match in ADDRESS.finditer(text):
        address = _trimmed(match[0])
        link = _link(address)
        if link is not None:
            yield escape(text[end : match.start()])
            yield link
            end = match.start() + len(address)
    yield escape(text[end:])


def _trimmed(address: str) -> str:
    """Return an address without the marks of the sentence that it ends."""
    while address[-1] in TRAILING:
        last = address[-1]
        if last in CLOSING and address.count(CLOSING[last]) >= address.count(last):
            break
        address = address[:-1]
    return address


def _link(address: str) -> SafeString | None:
    try:
        parts = urlsplit(address)
        port, host = parts.port, _host(parts.hostname or "")
    except ValueError:  # UnicodeError is one
        return None
    if not host or "@" in parts.netloc or not address.isprintable():
        return None
    place = host if port is None else f"{host}:{port}"
    rest = quote(address.partition("://")[2][len(parts.netloc) :], safe="%/?#=&+,;:@!$()*~[]")
    shown = rest if rest != "/" else ""
    if len(shown) > SHOWN:
        shown = f"{shown[: SHOWN - 1]}…"
    return format_html(
        '<a dir="ltr" rel="nofollow noopener noreferrer ugc" href="{}://{}{}">{}{}</a>',
        parts.scheme,
        place,
        rest,
        place,
        shown,
    )


def _host(name: str) -> str:
    """Return a host's name in ASCII, empty for what is none. Raises `UnicodeError` for what has no such form."""
    ascii_name = name.encode("idna").decode("ascii").lower() if name else ""
    return ascii_name if HOST.fullmatch(ascii_name) and len(ascii_name) <= LONGEST_HOST else ""
