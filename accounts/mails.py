"""Mails about accounts: asked for by requests, decided about, written and sent by a worker.

A request that asks for a mail does the same whoever has the address, so that its answer and its time tell nothing. What
is sent, if anything, is decided here alone: nothing but the confirmation itself goes to an address that is not
confirmed, and no more than `MOST_A_DAY` mails of a kind that anyone can ask for go to one address.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from accounts.languages import current_language
from accounts.mail_format import make_mail, render_html, site_name
from accounts.models import AccountMail, User
from accounts.nudge import nudge
from accounts.zones import zone

CONFIRMATION: Final = "email_confirmation"
EXISTS: Final = "account_already_exists"
RESET: Final = "password_reset_key"
MOVED: Final = "email_changed"
"""It goes to the address that a person had confirmed and has left."""
ARCHIVE: Final = "archive_made"
REPORT_CLOSED: Final = "report_closed"
WARNING: Final = "staff_warning"
SILENCED: Final = "staff_silence"
SUSPENDED: Final = "staff_suspension"
LIFTED: Final = "staff_lifted"
RENAMED: Final = "staff_rename"
ASKED_BY_ANYONE: Final = frozenset({CONFIRMATION, EXISTS, RESET})
MOST_A_DAY: Final = 5
"""How many mails of such a kind one address gets a day. The links in those that went still work."""
DAY: Final = timedelta(days=1)
LEASE: Final = timedelta(minutes=5)
"""How long sending one may take before another worker tries."""
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one."""
SEND: Final = "accounts.send_mails"
QUEUE: Final = "mail"

BUTTONS: Final = {
    "activate_url": gettext_lazy("Confirm your e-mail address"),
    "password_reset_url": gettext_lazy("Choose a new password"),
    "archive_url": gettext_lazy("Your data"),
    "invitation_url": gettext_lazy("View the invitation"),
    "stop_url": gettext_lazy("Don't invite me again"),
    "profile_url": gettext_lazy("Choose a name"),
}
"""What the links in mails are called."""
QUIET: Final = ("stop_url",)
"""Those that are no buttons."""
PAGES: Final[Mapping[str, Mapping[str, str]]] = {
    ARCHIVE: {"archive_url": "your_data"},
    RENAMED: {"profile_url": "profile"},
}
"""The pages that a mail links to, by the words for them in its text."""

logger = structlog.get_logger(__name__)


OUTSIDE: Final[dict[str, "Callable[[AccountMail, datetime], Letter | None]"]] = {}
"""Who decides about mails of other apps, by template: they may go to somebody who has no account."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be sent: a template and what it says."""

    template: str
    reader: User | None = None
    """Whom it greets by name. Nobody in a mail to an address that may belong to somebody else."""
    words: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def ask(template: str, address: str, *, user: User | None = None, **params: Any) -> None:
    """Leave a mail for a worker, in the language of the request. The same again while it waits is the same mail."""
    now = timezone.now()
    words = {"template": template, "params": params, "language": current_language()}
    if AccountMail.objects.filter(address=address.lower(), user=user, closed_at=None, **words).exists():
        return
    AccountMail.objects.create(address=address.lower(), user=user, at=now, due_at=now, **words)
    transaction.on_commit(lambda: nudge(SEND, queue=QUEUE))


def send_waiting(*, now: datetime) -> int:
    """Send what waits, and forget what is older than a day; return how many went. Safe to run twice at once."""
    give_up = time.monotonic() + PATIENCE
    sent = 0
    while time.monotonic() < give_up and (mail := _claim(now)) is not None:
        sent += _send(mail, now)
    AccountMail.objects.filter(closed_at__lt=now - DAY).delete()
    return sent


def reopen(*, addresses: Iterable[str] | None = None, now: datetime) -> int:
    """Let wait anew what was given up, to some addresses or to all; return how many mails."""
    rows = AccountMail.objects.filter(given_up=True)
    if addresses is not None:
        rows = rows.filter(address__in=list(addresses))
    return rows.update(given_up=False, closed_at=None, attempts=0, at=now, due_at=now)


@transaction.atomic
def _claim(now: datetime) -> AccountMail | None:
    """Take the mail that has waited longest, for as long as sending it may last."""
    rows = AccountMail.objects.select_for_update(skip_locked=True).filter(closed_at=None, due_at__lte=now)
    mail = rows.order_by("due_at", "pk").first()
    if mail is not None:
        mail.due_at = now + LEASE
        mail.attempts += 1
        mail.save(update_fields=["due_at", "attempts"])
    return mail


def _send(mail: AccountMail, now: datetime) -> bool:
    letter = OUTSIDE[mail.template](mail, now) if mail.template in OUTSIDE else _letter(mail)
    if letter is None or not _may_go(letter.template, mail, now):
        _close(mail, now, sent=False)
        return False
    try:
        _write(letter, mail).send()
    except OSError:  # what smtplib raises is one
        logger.exception("account mail not sent", template=letter.template, attempts=mail.attempts)
        mail.due_at = now + timedelta(minutes=min(2**mail.attempts, 60))
        if mail.due_at > mail.at + DAY:
            mail.given_up = True
            _close(mail, now, sent=False)
        else:
            mail.save(update_fields=["due_at"])
        return False
    mail.template = letter.template
    _close(mail, now, sent=True)
    return True


def _close(mail: AccountMail, now: datetime, *, sent: bool) -> None:
    mail.closed_at, mail.sent = now, sent
    mail.save(update_fields=["closed_at", "sent", "given_up", "template"])


def _letter(mail: AccountMail) -> Letter | None:
    """Decide what a mail that was asked for comes to: the one place that knows whose address it is."""
    owner = User.objects.confirmed().filter(email=mail.address).first()
    match mail.template:
        case "email_confirmation":
            address = EmailAddress.objects.filter(pk=mail.params["pk"], email=mail.address, verified=False).first()
            if address is None or (owner is not None and not mail.params["signup"]):
                return None
            if owner is not None:
                return Letter(EXISTS, owner, {"password_reset_url": _absolute("account_reset_password")})
            return Letter(
                CONFIRMATION,
                words={"activate_url": _absolute("account_confirm_email", EmailConfirmationHMAC(address).key)},
            )
        case "password_reset_key":
            if owner is None:
                return None
            key = (user_pk_to_url_str(owner), default_token_generator.make_token(owner))
            return Letter(RESET, owner, {"password_reset_url": _absolute("account_reset_password_from_key", *key)})
        case _:
            links = {word: _absolute(page) for word, page in PAGES.get(mail.template, {}).items()}
            params = {**mail.params, "until": _instant(mail.params.get("until"))}
            return Letter(mail.template, mail.user, {**params, **links})


def _may_go(template: str, mail: AccountMail, now: datetime) -> bool:
    """Return whether a letter may go to its address."""
    known = template in {CONFIRMATION, MOVED, *OUTSIDE} or User.objects.confirmed().filter(email=mail.address).exists()
    if not known or template not in ASKED_BY_ANYONE:
        return known
    before = AccountMail.objects.filter(address=mail.address, template=template, sent=True, at__gt=now - DAY)
    return before.count() < MOST_A_DAY


def _write(letter: Letter, mail: AccountMail) -> EmailMessage:
    language = letter.reader.language if letter.reader is not None else mail.language
    context = {**letter.words, "email": mail.address, "user": letter.reader, "site": site_name()}
    context["contact"] = settings.CONTACT
    own_zone = zone(letter.reader.time_zone) if letter.reader is not None else None
    with translation.override(language), timezone.override(own_zone):
        subject = " ".join(render_to_string(f"account/email/{letter.template}_subject.txt", context).split())
        text = render_to_string(f"account/email/{letter.template}_message.txt", context).strip()
        labels = {letter.words[name]: label for name, label in BUTTONS.items() if name in letter.words}
        # The document says what the text says; the text's last paragraph is the foot of every document.
        quiet = {letter.words.get(name) for name in QUIET}
        said = [{"text": one, "button": labels.get(one), "quiet": one in quiet} for one in text.split("\n\n")[:-1]]
        html = render_html("mail/account.html", {"paragraphs": said}, subject=subject, language=language)
    return make_mail(mail.address, subject, text, html, headers=letter.headers)


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _absolute(name: str, *args: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=args)}"
