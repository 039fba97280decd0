"""Who wants nothing to do with whom: the one answer for everything that brings people together.

It works both ways: whoever blocks is spared the other, and does not come upon them either. Nobody is told that they are
blocked: what they can't do is refused in the words of any refusal.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, User

MOST: Final = 500
"""How many people one person can block."""


def blocked_between(person: int, others: Collection[int | None]) -> bool:
    """Return whether a person has blocked one of the others, or one of them this person: one query, none for nobody."""
    numbers = [number for number in others if number is not None and number != person]
    if not numbers:
        return False
    either = Q(blocker=person, blocked__in=numbers) | Q(blocked=person, blocker__in=numbers)
    return Block.objects.filter(either).exists()


def apart_from(person: Any, column: str) -> Q:
    """Return the condition that a column names somebody whom a person has blocked, or who has blocked them.

    ``person`` may be a number or the expression of one.
    """
    theirs, others = blocked_by(person), Block.objects.filter(blocked=person).values("blocker")
    return Q(**{f"{column}__in": theirs}) | Q(**{f"{column}__in": others})


def blocked_by(person: Any) -> QuerySet[Any, Any]:
    """Return the numbers of the people whom a person has blocked, for another query."""
    return Block.objects.filter(blocker=person).values("blocked")


def blockers_of(person: int, among: Collection[int | None]) -> set[int]:
    """Return which of some people have blocked a person: one query."""
    numbers = [number for number in among if number is not None]
    return set(Block.objects.filter(blocked=person, blocker__in=numbers).values_list("blocker", flat=True))


def has_blocked(person: User, other: int) -> bool:
    """Return whether a person has blocked another one: one query."""
    return Block.objects.filter(blocker=person, blocked=other).exists()


def people_blocked_by(person: User) -> QuerySet[User]:
    """Return the people whom a person has blocked, by their names, to be sliced into pages."""
    return User.objects.filter(pk__in=blocked_by(person.pk)).order_by("display_name", "pk")


def add(person: User, other: User, now: datetime) -> bool:
    """Block a person; return whether they were not blocked before. Both are locked.

    Raises `ValidationError` for oneself, and for one person too many.
    """
    if person.pk == other.pk:
        raise ValidationError(_("You can't block yourself."), code="self")
    if has_blocked(person, other.pk):
        return False
    if Block.objects.filter(blocker=person).count() >= MOST:
        raise ValidationError(_("You have blocked %(most)s people, which is the maximum."), "full", {"most": MOST})
    Block.objects.create(blocker=person, blocked=other, at=now)
    return True


def remove(person: User, other: int) -> bool:
    """Take a block back; return whether there was one."""
    return bool(Block.objects.filter(blocker=person, blocked=other).delete()[0])
