"""The mail to an address that somebody has invited to a game: it may be anybody's."""

from datetime import datetime
from typing import Final

from django.core import signing

from accounts import mails
from accounts.mail_format import absolute, one_click
from accounts.mails import Letter
from accounts.models import AccountMail, User
from games.commands.invite_address import MAIL, may_be_mailed, pass_on
from games.models import MailInvitation

SALT: Final = "games.invitation"


def offer_letters() -> None:
    """Decide from now on about the invitations that wait to be mailed."""
    mails.OUTSIDE[MAIL] = decide


def decide(mail: AccountMail, now: datetime) -> Letter | None:
    """Return the letter to an address that has no account; pass the invitation on within the site to one that has."""
    rows = MailInvitation.objects.select_related("game", "by")
    invitation = rows.filter(pk=mail.params["invitation"]).first()
    if invitation is None:
        return None
    owner = User.objects.confirmed().filter(email=mail.address).first()
    if owner is not None:
        pass_on(invitation=invitation, person=owner, now=now)
        return None
    return _letter(invitation) if may_be_mailed(invitation, now) else None


def stop_token(address: str) -> str:
    """Return a signed word that stands for an address. It opens nothing else and never expires."""
    return signing.dumps(address, salt=SALT, compress=False)


def read_stop_token(token: str) -> str | None:
    """Return the address that a token stands for, or None for one that we did not make."""
    try:
        return str(signing.loads(token, salt=SALT))
    except signing.BadSignature:
        return None


def _letter(invitation: MailInvitation) -> Letter:
    stop = absolute("stop_invitations", stop_token(invitation.address))
    words = {
        "who": invitation.by.shown_name,
        "invitation_url": absolute("invitation", invitation.game.key),
        "stop_url": stop,
    }
    return Letter(MAIL, words=words, headers=one_click(stop))
