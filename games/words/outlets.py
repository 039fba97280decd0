"""Why an outlet is not reached, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

TROUBLES: Final[Mapping[str, "_StrPromise"]] = {
    "address": _("This address may not be called."),
    # The same for both, so that nobody learns here which names there are in some network.
    "no-host": _("There is no public server of this name."),
    "private": _("There is no public server of this name."),
    "certificate": _("The server’s certificate could not be trusted."),
    "no-connection": _("The server could not be reached."),
    "no-answer": _("The server did not answer in time."),
    "refused": _("The server refused what was sent."),
    "gone": _("The server says that this address no longer exists."),
}
"""By the codes that are stored with an outlet (`games.delivery.outbound.Trouble`)."""


def describe_trouble(code: str) -> str:
    """Return why an outlet was not reached the last time, in the active language; empty where it was."""
    return str(TROUBLES[code]) if code in TROUBLES else ""
