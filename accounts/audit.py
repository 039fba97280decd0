"""What the staff did, and why: written down in the transaction that did it, for good."""

import getpass
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Self

from django.db import transaction
from django.db.models import QuerySet

from accounts.conduct import AUDIT_KEPT_FOR, WORDS_LENGTH, StaffAct, StaffAction
from accounts.models import User

NO_REASON: Final = "no reason given"


@dataclass(frozen=True, slots=True)
class Staff:
    """A member of the staff who does something, and why."""

    name: str
    why: str
    number: int | None = None
    """None for who works at the command line."""
    public_why: str = field(default="")
    """What players read of the reason, where they read any."""

    @property
    def told(self) -> dict[str, Any]:
        """What a remark in a game's log keeps of the reason: nothing where players are told none."""
        return {"why": self.public_why} if self.public_why else {}

    @classmethod
    def of(cls, user: User, why: str, *, public_why: str = "") -> Self:
        """Return a member of the staff who is signed in."""
        return cls(user.display_name, why, user.pk, public_why)

    @classmethod
    def operator(cls, name: str = "", why: str = "") -> Self:
        """Return whoever works at the command line, under the name that they give or that the machine knows."""
        return cls(name or _operator_name(), why or NO_REASON)


def record(
    staff: Staff,
    act: StaffAct,
    now: datetime,
    *,
    person: int | None = None,
    game: str = "",
    said: str = "",
    **details: Any,
) -> StaffAction:
    """Write down what a member of the staff does in this very transaction."""
    assert transaction.get_connection().in_atomic_block, "an action and its record are one transaction"
    return StaffAction.objects.create(
        at=now,
        by=staff.name[:150],
        by_number=staff.number,
        act=act,
        person=person,
        game=game,
        why=staff.why[:WORDS_LENGTH],
        said=said,
        details=details,
    )


def add_staff_arguments(parser: ArgumentParser) -> None:
    """Let a command of the staff ask who does it, and why; players read the reason where it is about their game."""
    parser.add_argument("--by", default="", metavar="NAME", help="who does it, for the audit; else the machine's user")
    parser.add_argument("--why", default="", metavar="TEXT", help="why, for the audit, where there is one")
    parser.add_argument("--public-why", default="", metavar="TEXT", help="what players read of the reason")


def staff_of(options: Mapping[str, Any]) -> Staff:
    """Return who of the staff runs a command, as its options say."""
    operator = Staff.operator(options["by"], options["why"])
    return replace(operator, public_why=options["public_why"])


def spent(now: datetime) -> QuerySet[StaffAction]:
    """Return what was done so long ago that it is to be deleted."""
    return StaffAction.objects.filter(at__lt=now - AUDIT_KEPT_FOR)


def _operator_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may have no name for its user
        return "operator"
