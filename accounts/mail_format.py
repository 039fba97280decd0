"""Mails as they leave this site: headers that programs read as they are, and the marks that a machine wrote them."""

from collections.abc import Mapping, Sequence
from email.headerregistry import HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from email.policy import default as modern
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit
from uuid import uuid4

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import punycode

if TYPE_CHECKING:
    from email.headerregistry import BaseHeader

    class _Base(UnstructuredHeader, BaseHeader):
        """What the registry makes of a class of headers."""
else:
    _Base = UnstructuredHeader


class WordsHeader(_Base):
    """A header of words for programs: never encoded, and folded between two words alone, however long one is.

    Python's own would write a long address as encoded words (RFC 2047), which no program reads there.
    """

    def fold(self, *, policy: Policy) -> str:
        """Return the header as lines. Raises `ValueError` for what is not ASCII."""
        if not self.isascii():
            raise ValueError(self.name)
        longest = policy.max_line_length or 78
        lines = [f"{self.name}:"]
        for word in self.split():
            if len(lines[-1]) + 1 + len(word) > longest and not lines[-1].endswith(":"):
                lines.append("")
            lines[-1] += f" {word}"
        return policy.linesep.join(lines) + policy.linesep


HEADERS: Final = HeaderRegistry(default_class=WordsHeader)
"""How each header is written: subjects, addresses, dates and MIME as Python does, all others as words."""
HEADERS.map_to_type("message-id", WordsHeader)


class SiteMail(EmailMultiAlternatives):
    """A mail whose headers are written by `HEADERS`."""

    def message(self, *, policy: Policy | None = None) -> EmailMessage:
        """Return the message that is sent."""
        written = cast("EmailPolicy", policy or modern)
        return super().message(policy=written.clone(header_factory=HEADERS))


def make_mail(
    to: str, subject: str, text: str, html: str, *, message_id: str = "", headers: Mapping[str, str] | None = None
) -> SiteMail:
    """Return a mail to one address, with a Message-ID of its own unless it has one already."""
    marks = {"Message-ID": message_id or make_message_id(), "Auto-Submitted": "auto-generated"}
    receivers: Sequence[str] = [to]
    mail = SiteMail(
        " ".join(subject.split()), text, settings.DEFAULT_FROM_EMAIL, receivers, headers={**marks, **(headers or {})}
    )
    mail.attach_alternative(html, "text/html")
    return mail


def make_message_id(name: str = "") -> str:
    """Return the Message-ID that this site gives to a name, always the same one; a new one where there is no name."""
    return f"<{name or uuid4().hex}@{mail_host()}>"


def mail_host() -> str:
    """Return the site's host as mails write it."""
    return punycode(urlsplit(settings.SITE_URL).hostname or "localhost")


def one_click(url: str) -> dict[str, str]:
    """Return the headers by which mail programs end mails of a kind with one click (RFC 8058)."""
    return {"List-Unsubscribe": f"<{in_ascii(url)}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def absolute(name: str, *args: str) -> str:
    """Return the address of a page as mails write it, by its name."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def in_ascii(url: str) -> str:
    """Return an address of this site as headers write it."""
    return url.replace(urlsplit(settings.SITE_URL).hostname or "", mail_host(), 1)


def render_html(template: str, context: Mapping[str, Any], *, subject: str, language: str) -> str:
    """Return a document in the look of all mails, whose styles stand in its elements: some programs know no sheets.

    The template extends ``mail/base.html``, which asks for ``subject``, ``language`` and ``site``.
    """
    frame = {"subject": subject, "language": language, "site": site_name()}
    return _inliner().inline(render_to_string(template, {**context, **frame}))


def site_name() -> str:
    """Return the site's address as people say it."""
    return str(settings.SITE_URL).split("://")[-1]


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)
