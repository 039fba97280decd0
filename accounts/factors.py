"""Passkeys, authenticator apps and recovery codes: what they are called, who hears of them, and how the staff helps."""

from io import BytesIO
from typing import Any, Final

import structlog
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage
from qrcode.main import make

from accounts import mails
from accounts.audit import Staff, record
from accounts.models import StaffAct, User

SITE: Final = "Gravity Superstar"
"""What the site is called where passkeys and codes are kept."""
MOST_PASSKEYS: Final = 10
"""How many passkeys a person may have."""

logger = structlog.get_logger(__name__)


class FactorAdapter(DefaultMFAAdapter):
    """Says in the words of the site what allauth says of second factors."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _(
            "This code is not right, or it was used already. Wait for the next one, or check the clock of your device."
        ),
        "cannot_generate_recovery_codes": _(
            "Add a passkey or an authenticator app first: recovery codes stand in for these."
        ),
    }

    def get_totp_issuer(self) -> str:
        """Return what an authenticator app calls the site."""
        return SITE

    def build_totp_svg(self, url: str) -> str:
        """Return the drawing that an app scans, dark on white whatever the colours of the page."""
        drawing = BytesIO()
        make(url, image_factory=SvgPathFillImage).save(drawing)  # type: ignore[no-untyped-call]
        return drawing.getvalue().decode()

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's
        """Return a name for a passkey to which its person gives none."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return which site passkeys are for: the host that was asked."""
        return {**super().get_public_key_credential_rp_entity(), "name": SITE}

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """Return whose passkey it is, as the browser will list it."""
        assert isinstance(user, User)
        return {"id": user_pk_to_url_str(user).encode(), "name": user.email, "display_name": user.display_name}


@transaction.atomic
def remove_factors(user: User, *, staff: Staff | None = None) -> int:
    """Let a person who has lost their second factor sign in by password alone, for the staff; return how many went.

    The log says so, and so does a mail to the person.
    """
    count: int = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES).count()
    if Authenticator.objects.filter(user=user).delete()[0]:
        logger.warning("second factors removed by the staff", user=user.pk, count=count)
        record(staff or Staff.operator(), StaffAct.REMOVE_FACTORS, timezone.now(), person=user.pk, count=count)
        mails.ask("second_factor_removed", user.email, user=user)
    return count


def follow_added(user: User, authenticator: Authenticator, **_more: Any) -> None:
    """Log that a person has added a passkey or an app, or got recovery codes."""
    logger.info("second factor added", user=user.pk, type=authenticator.type)


def follow_removed(user: User, authenticator: Authenticator, **_more: Any) -> None:
    """Log that a person has removed one."""
    logger.info("second factor removed", user=user.pk, type=authenticator.type)


def follow_used(user: User, authenticator: Authenticator, **_more: Any) -> None:
    """Log a sign-in or a confirmation by a recovery code, and tell the person: whoever has found the list may be in."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        left = len(Authenticator.objects.get(pk=authenticator.pk).wrap().get_unused_codes())
        logger.info("recovery code used", user=user.pk, left=left)
        mails.ask("recovery_code_used", user.email, user=user, left=left)


def follow_refused(user: User, **_more: Any) -> None:
    """Log a wrong code."""
    logger.info("second factor refused", user=user.pk)
