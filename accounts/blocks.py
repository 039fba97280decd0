"""Who wants nothing to do with whom: the one answer for everything that brings people together.

It works both ways: whoever blocks is spared the other, and does not come upon them either. A block of somebody, or by
somebody, holds for their bots too; one of a bot for that bot alone. Nobody is told that they are blocked: what they
can't do is refused in the words of any refusal.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, User

MOST: Final = 500
"""How many people one person can block."""


def numbers_of(*people: User | None) -> set[int]:
    """Return by which numbers blocks concern some people: their own, and of a bot that of its owner too."""
    found = {number for person in people if person is not None for number in (person.pk, person.owner_id)}
    return {number for number in found if number is not None}


def blocked_between(person: User, others: Iterable[User | None]) -> bool:
    """Return whether a person has blocked one of the others, or one of them this person: one query, none for nobody."""
    own = numbers_of(person)
    numbers = numbers_of(*(other for other in others if other != person)) - own
    if not numbers:
        return False
    either = Q(blocker__in=own, blocked__in=numbers) | Q(blocked__in=own, blocker__in=numbers)
    return Block.objects.filter(either).exists()


def blocked_among(people: Iterable[User]) -> bool:
    """Return whether any of some people has blocked another one: one query."""
    numbers = numbers_of(*people)
    return Block.objects.filter(blocker__in=numbers, blocked__in=numbers).exists()


def apart_from(person: User, column: str) -> Q:
    """Return the condition that a column names somebody whom a person has blocked, or who has blocked them."""
    own = numbers_of(person)
    theirs, others = Block.objects.filter(blocker__in=own), Block.objects.filter(blocked__in=own)
    # One list, not four conditions: the database takes each of these to be true of half of all rows.
    apart = theirs.values("blocked").union(
        theirs.filter(blocked__bots__isnull=False).values("blocked__bots"),
        others.values("blocker"),
        others.filter(blocker__bots__isnull=False).values("blocker__bots"),
    )
    return Q(**{f"{column}__in": apart})


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

    Raises `ValidationError` for oneself, for a bot of one's own, and for one person too many.
    """
    if numbers_of(person) & numbers_of(other):
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
