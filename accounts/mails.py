"""Mails about accounts: asked for by requests, decided about, written and sent by a worker.

A request that asks for a mail does the same whoever has the address, so that its answer and its time tell nothing. What
is sent, if anything, is decided here alone: nothing but the confirmation itself goes to an address that is not
confirmed, and a bounded number of mails of a kind that anyone can ask for goes to one address.
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
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from accounts import codes
from accounts.addresses import has_address
from accounts.languages import current_language
from accounts.mail_format import absolute, make_mail, render_html, site_name
from accounts.models import AccountMail, AddressChange, EmailCode, User
from accounts.nudge import nudge
from accounts.zones import zone

CONFIRMATION: Final = "email_confirmation"
EXISTS: Final = "account_already_exists"
RESET: Final = "password_reset_key"
MOVED: Final = "email_changed"
"""It goes to the address that a person had confirmed and has left."""
MOVING: Final = "email_change_asked"
"""It goes to the address that a person wants to leave, and asks its owner."""
SIGN_IN: Final = "sign_in_code"
CONFIRM: Final = "confirm_code"
ARCHIVE: Final = "archive_made"
REPORT_CLOSED: Final = "report_closed"
WARNING: Final = "staff_warning"
SILENCED: Final = "staff_silence"
SUSPENDED: Final = "staff_suspension"
LIFTED: Final = "staff_lifted"
RENAMED: Final = "staff_rename"
ACCESS_MADE: Final = "access_token_made"
ACCESS_REVOKED: Final = "access_tokens_revoked"
HOOK_MADE: Final = "webhook_made"
OUTLET_OFF: Final = "outlet_off"
"""A browser or a webhook could not be reached for a day."""
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bound:
    """How many mails of some kinds together one address gets in a time; the links in those that went still work."""

    kinds: frozenset[str]
    most: int
    within: timedelta


WITH_CODES: Final = frozenset({CONFIRMATION, EXISTS, SIGN_IN})
"""Mails with a code that anyone can ask for. From a browser that is known for the account they are counted apart, so
that nobody who asks for many keeps its owner out."""
BOUNDS: Final = (
    Bound(WITH_CODES, 5, HOUR),
    Bound(WITH_CODES, 20, DAY),
    Bound(frozenset({CONFIRM}), 10, HOUR),
    Bound(frozenset({RESET}), 5, DAY),
    Bound(frozenset({MOVING}), 5, DAY),
)
MOST_OUTSIDE: Final = 3
"""How many mails of one kind of another app go to one address within a day, also when who asked for them is gone."""
LEASE: Final = timedelta(minutes=5)
"""How long sending one may take before another worker tries."""
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one."""
SEND: Final = "accounts.send_mails"

BUTTONS: Final = {
    "activate_url": gettext_lazy("Confirm your e-mail address"),
    "password_reset_url": gettext_lazy("Choose a new password"),
    "archive_url": gettext_lazy("Your data"),
    "invitation_url": gettext_lazy("View the invitation"),
    "stop_url": gettext_lazy("Don't invite me again"),
    "answer_url": gettext_lazy("Say yes or no"),
    "login_url": gettext_lazy("Sign in"),
    "profile_url": gettext_lazy("Choose a name"),
    "tokens_url": gettext_lazy("Access tokens"),
    "webhooks_url": gettext_lazy("Webhooks"),
    "deliveries_url": gettext_lazy("What was sent to you"),
}
"""What the links in mails are called."""
QUIET: Final = ("stop_url",)
"""Those that are no buttons."""
PAGES: Final[Mapping[str, Mapping[str, str]]] = {
    ARCHIVE: {"archive_url": "your_data"},
    RENAMED: {"profile_url": "profile"},
    ACCESS_MADE: {"tokens_url": "access_tokens"},
    HOOK_MADE: {"webhooks_url": "webhooks"},
    OUTLET_OFF: {"deliveries_url": "deliveries"},
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
    code_for: User | None = None
    """Whom the code in it is for, where it has one."""


def ask(template: str, address: str, *, user: User | None = None, **params: Any) -> None:
    """Leave a mail for a worker, in the language of the request. The same again while it waits is the same mail."""
    now = timezone.now()
    words = {"template": template, "params": params, "language": current_language()}
    if AccountMail.objects.filter(address=address.lower(), user=user, closed_at=None, **words).exists():
        return
    AccountMail.objects.create(address=address.lower(), user=user, at=now, due_at=now, **words)
    transaction.on_commit(lambda: nudge(SEND))


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
        _write(letter, mail, now).send()
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
    if mail.template == MOVING and (sent or mail.given_up):
        AddressChange.objects.filter(pk=mail.params["change"], told_at=None).update(told_at=now)


def _letter(mail: AccountMail) -> Letter | None:
    """Decide what a mail that was asked for comes to: the one place that knows whose address it is."""
    owner = User.objects.confirmed().filter(email=mail.address).first()
    match mail.template:
        case "email_confirmation":
            return _confirmation(mail, owner)
        case "password_reset_key" | "sign_in_code" | "confirm_code" | "email_change_asked":
            return None if owner is None else _to_owner(mail, owner)
        case _:
            links = {word: absolute(page) for word, page in PAGES.get(mail.template, {}).items()}
            params = {**mail.params, "until": _instant(mail.params.get("until"))}
            return Letter(mail.template, mail.user, {**params, **links})


def _to_owner(mail: AccountMail, owner: User) -> Letter | None:
    """Decide what the owner of a confirmed address gets."""
    if mail.template == RESET:
        key = (user_pk_to_url_str(owner), default_token_generator.make_token(owner))
        return Letter(RESET, owner, {"password_reset_url": absolute("account_reset_password_from_key", *key)})
    if mail.template == MOVING:
        rows = AddressChange.objects.select_related("address").filter(user=owner, old_at=None)
        change = rows.filter(pk=mail.params["change"]).first()
        links = {} if change is None else {"answer_url": absolute("account_answer_change", change.key)}
        return None if change is None else Letter(MOVING, owner, {"to_email": change.address.email, **links})
    is_theirs = mail.template == SIGN_IN or mail.user == owner
    return Letter(mail.template, owner, code_for=owner) if is_theirs and _code(mail) is not None else None


def _confirmation(mail: AccountMail, owner: User | None) -> Letter | None:
    """Decide what goes to an address that somebody has typed as theirs.

    Whoever has an account with it already, and signs up, gets a code that signs in to this one. Not so a guest who
    keeps their games: they are signed in, and would lose them.
    """
    row = EmailAddress.objects.select_related("user").filter(pk=mail.params["pk"], email=mail.address, verified=False)
    address = row.first()
    if address is None or (owner is not None and not mail.params["signup"]):
        return None
    has_code = not has_address(address.user) and _code(mail) is not None
    if owner is not None:
        links = {"password_reset_url": absolute("account_reset_password"), "login_url": absolute("account_login")}
        return Letter(EXISTS, owner, links, code_for=owner if has_code and address.user.keeps_id is None else None)
    links = {"activate_url": absolute("account_confirm_email", EmailConfirmationHMAC(address).key)}
    return Letter(CONFIRMATION, words=links, code_for=address.user if has_code else None)


def _code(mail: AccountMail) -> EmailCode | None:
    """Return the code that a mail is to bring, unless its row is gone or used."""
    return EmailCode.objects.filter(pk=mail.params.get("code", 0), used_at=None).first()


def _may_go(template: str, mail: AccountMail, now: datetime) -> bool:
    """Return whether a letter may go to its address."""
    to_anybody = template in {CONFIRMATION, MOVED, *OUTSIDE}
    if not to_anybody and not User.objects.confirmed().filter(email=mail.address).exists():
        return False
    went = AccountMail.objects.filter(address=mail.address, sent=True)
    known = Q(params__known=True)
    went = went.filter(known if mail.params.get("known") else Q(params__known=False) | Q(params__known__isnull=True))
    outside = (Bound(frozenset({kind}), MOST_OUTSIDE, DAY) for kind in OUTSIDE)
    return all(
        went.filter(template__in=bound.kinds, at__gt=now - bound.within).count() < bound.most
        for bound in (*BOUNDS, *outside)
        if template in bound.kinds
    )


def _write(letter: Letter, mail: AccountMail, now: datetime) -> EmailMessage:
    language = letter.reader.language if letter.reader is not None else mail.language
    context = {**letter.words, "email": mail.address, "user": letter.reader, "site": site_name()}
    if letter.code_for is not None and (code := _code(mail)) is not None:
        context["code"] = codes.make(code, letter.code_for, now=now)
    context["contact"] = settings.CONTACT
    own_zone = zone(letter.reader.time_zone) if letter.reader is not None else None
    with translation.override(language), timezone.override(own_zone):
        subject = " ".join(render_to_string(f"account/email/{letter.template}_subject.txt", context).split())
        text = render_to_string(f"account/email/{letter.template}_message.txt", context).strip()
        labels = {letter.words[name]: label for name, label in BUTTONS.items() if name in letter.words}
        # The document says what the text says; the text's last paragraph is the foot of every document.
        quiet = {letter.words.get(name) for name in QUIET}
        said = [
            {"text": one, "button": labels.get(one), "quiet": one in quiet, "is_code": one == context.get("code")}
            for one in text.split("\n\n")[:-1]
        ]
        html = render_html("mail/account.html", {"paragraphs": said}, subject=subject, language=language)
    return make_mail(mail.address, subject, text, html, headers=letter.headers)


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
