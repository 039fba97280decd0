"""Looking at mails in a browser: samples of each kind for the staff, and on a development machine the mails in files.

A mail carries its styles in its elements, which the site's policy forbids: the document of a mail alone may have them,
and it is shown in a frame that may do nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as modern
from functools import wraps
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings
from django.contrib.admin.views.decorators import staff_member_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.csp import CSP
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from games.delivery.content import MailContent
from games.delivery.render import html_of, text_of
from games.delivery.samples import sample, sample_label, sample_names
from games.web.answers import ViewFunction, reader_of

MAIL_POLICY: Final[Mapping[str, list[str]]] = {
    "default-src": [CSP.NONE],
    "style-src": [CSP.UNSAFE_INLINE],
    "img-src": ["data:"],
    "frame-ancestors": [CSP.SELF],
    "form-action": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
FRAME_POLICY: Final[Mapping[str, list[str]]] = {
    **cast("dict[str, list[str]]", settings.SECURE_CSP),
    "frame-src": [CSP.SELF],
}
BETWEEN: Final = b"\n" + b"-" * 79 + b"\n"
"""What stands between two mails in a file."""
LISTED: Final = 200


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail in a file."""

    name: str
    mail: EmailMessage

    @property
    def text(self) -> str:
        """The mail as plain text."""
        return self._body("plain")

    @property
    def html(self) -> str:
        """The mail as a document, empty if it has none."""
        return self._body("html")

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Every header of the mail."""
        return [(name, str(value)) for name, value in self.mail.items()]

    def _body(self, kind: str) -> str:
        part = self.mail.get_body((kind,))
        return "" if part is None else str(part.get_content())


# Samples, for the staff


@staff_member_required
@require_safe
def samples(request: HttpRequest) -> HttpResponse:
    """List the samples."""
    return render(request, "notices/samples.html", {"samples": [(name, sample_label(name)) for name in sample_names()]})


@staff_member_required
@csp_override(FRAME_POLICY)
@require_safe
def sample_mail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one sample as text and as a document, in the reader's language and time zone."""
    mail = _sample(request, name)
    return render(request, "notices/sample.html", {"name": name, "mail": mail, "text": text_of(mail)})


@staff_member_required
@csp_override(MAIL_POLICY)
@xframe_options_sameorigin
@require_safe
def sample_document(request: HttpRequest, name: str) -> HttpResponse:
    """Return the document of one sample, as mail programs get it."""
    return HttpResponse(html_of(_sample(request, name)))


def _sample(request: HttpRequest, name: str) -> MailContent:
    try:
        return sample(name, reader_of(request), timezone.now())
    except ValueError as error:
        raise Http404 from error


# Mails in files, on a development machine


def for_developers(view: ViewFunction) -> ViewFunction:
    """Make a page exist only where mails go to files and errors are shown."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEBUG:
            raise Http404
        return view(request, *args, **kwargs)

    return answer


@for_developers
@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """List the mails that the site has written, newest first."""
    return render(request, "notices/mailbox.html", {"mails": stored_mails(), "folder": mail_folder()})


@for_developers
@csp_override(FRAME_POLICY)
@require_safe
def stored_mail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one mail: headers, text, document."""
    return render(request, "notices/stored_mail.html", {"mail": _stored(name)})


@for_developers
@csp_override(MAIL_POLICY)
@xframe_options_sameorigin
@require_safe
def stored_document(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Return the document of one mail."""
    return HttpResponse(_stored(name).html)


def mail_folder() -> Path | None:
    """Return the folder that mails go to, or None where they do not go to files."""
    path = settings.MAILERS["default"].get("OPTIONS", {}).get("file_path")
    return None if path is None else Path(path)


def stored_mails() -> list[StoredMail]:
    """Return the newest mails in the folder, newest first."""
    folder = mail_folder()
    if folder is None or not folder.is_dir():
        return []
    mails: list[StoredMail] = []
    for file in sorted(folder.glob("*.log"), reverse=True):
        parts = [part for part in file.read_bytes().split(BETWEEN) if part.strip()]
        found = [StoredMail(f"{file.stem}.{number}", _parse(part)) for number, part in enumerate(parts)]
        mails.extend(reversed(found))
        if len(mails) >= LISTED:
            break
    return mails[:LISTED]


def _stored(name: str) -> StoredMail:
    found = next((mail for mail in stored_mails() if mail.name == name), None)
    if found is None:
        raise Http404
    return found


def _parse(content: bytes) -> EmailMessage:
    mail = message_from_bytes(content, policy=modern)
    assert isinstance(mail, EmailMessage)  # what the policy makes
    return mail
