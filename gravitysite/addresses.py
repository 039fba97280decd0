"""Addresses of the services that the site needs, as the environment gives them. No error quotes any part of one."""

from collections.abc import Collection
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

ESCAPES: Final = "# %23, / %2F, ? %3F, @ %40, % %25, [ %5B, ] %5D, a blank %20"


class AddressError(ValueError):
    """An address that can't be read; the message is one line for the operator, and the same whatever the secret is."""


def read_address(name: str, url: str, schemes: Collection[str]) -> SplitResult:
    """Return the parts of an address with a host. Raises `AddressError`.

    A password in which something is not escaped ends too early, and the rest of it would be taken for a host, a port
    or a path, with which the site would then speak, or which an error would quote. So nothing doubtful is accepted.
    """
    parts, port = _split(url)
    whole = parts is not None and port is not None and "#" not in url and url.isprintable() and " " not in url
    if parts is None or not whole or url.count("@") > 1 or ("@" in url) != ("@" in parts.netloc):
        raise AddressError(
            f"{name} can't be read. In its password write {ESCAPES}; or leave the password out, and set "
            f"{name.removesuffix('URL')}PASSWORD to it as it is (see docs/operations.md)."
        )
    if parts.scheme not in schemes or not parts.hostname:
        raise AddressError(f"{name} must look like {next(iter(schemes))}://host (see docs/operations.md).")
    return parts


def password_of(parts: SplitResult, stated: str) -> str:
    """Return the password that was stated by itself, or else the one in an address."""
    return stated or unquote(parts.password or "")


def with_password(parts: SplitResult, stated: str) -> str:
    """Return an address with the password that was stated by itself, if one was.

    A semicolon is escaped in it: the library that speaks to the broker takes one for the end of a first address.
    """
    login, at, host = parts.netloc.rpartition("@")
    if stated:
        login, at = f"{parts.username or ''}:{quote(stated, safe='')}", "@"
    return parts._replace(netloc=f"{login.replace(';', '%3B')}{at}{host}").geturl()


def _split(url: str) -> tuple[SplitResult | None, int | None]:
    """Return the parts of an address and its port, 0 where it states none; None for what is not so."""
    try:
        parts = urlsplit(url)
        port = parts.port or 0
    except ValueError:  # its words quote the address
        return None, None
    return parts, port
