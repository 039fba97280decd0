"""Finished games: found by who played, when, with what result and by what happened in them.

A page costs the same however many games there are: it is read along one index, and nothing is counted.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from games.models import Career, Game, Mark, Result
from games.models.choices import Status
from games.queries.lists import Moment, beyond, listed

LIST_SIZE: Final = 20


class Outcome(StrEnum):
    """How a game ended for a person."""

    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What somebody looks for among finished games; what is not said fits anything."""

    people: tuple[int, ...] = ()
    """Who all played."""
    outcome: Outcome | None = None
    """How it ended for the first of them."""
    size: int | None = None
    mark: str = ""
    """What happened, by a code of `Rules.marks`."""
    since: datetime | None = None
    until: datetime | None = None
    unlisted: bool = False
    """Also games that no list shows: for who is among the people."""


def finished_games(sought: Sought, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of finished games, newest first, with their seats, and where the next one begins; None on the last.

    Three queries at most. ``own_place`` is that of the first person.
    """
    rows, column = _rows(sought)
    if after is not None:
        rows = rows.filter(beyond(after, "finished_at", column))
    if sought.since is not None:
        rows = rows.filter(finished_at__gte=sought.since)
    if sought.until is not None:
        rows = rows.filter(finished_at__lt=sought.until)
    newest = rows.order_by("-finished_at", f"-{column}").values(column)[: LIST_SIZE + 1]
    page = list(listed().filter(pk__in=newest).order_by("-finished_at", "-pk"))
    for game in page:
        first = (seat.place for seat in game.seats.all() if sought.people and seat.user_id == sought.people[0])
        game.own_place = next(first, None)  # type: ignore[attr-defined] # as `queries.lists` annotates it
    if len(page) <= LIST_SIZE:
        return page, None
    last = page[LIST_SIZE - 1]
    assert last.finished_at is not None
    return page[:LIST_SIZE], Moment(last.finished_at, last.pk)


def _rows(sought: Sought) -> tuple[QuerySet[Any], str]:
    """Return the rows of the index along which a page is read, and which column of them is the game."""
    if sought.people:
        return _of_people(sought), "game_id"
    if sought.mark:
        rows = Mark.objects.filter(code=sought.mark, public=True)
        return (rows if sought.size is None else rows.filter(size=sought.size)), "game_id"
    games = Game.objects.filter(status=Status.FINISHED, public=True, players_only=False)
    return (games if sought.size is None else games.filter(size=sought.size)), "pk"


def _of_people(sought: Sought) -> QuerySet[Result]:
    first, *_others = sought.people
    base = first if len(sought.people) == 1 else _least_busy(sought.people)
    rows = Result.objects.filter(user=base)
    for person in set(sought.people) - {base}:
        rows = rows.filter(Exists(Result.objects.filter(game=OuterRef("game"), user=person)))
    if not sought.unlisted:
        rows = rows.filter(public=True)
    if sought.size is not None:
        rows = rows.filter(size=sought.size)
    if sought.outcome is not None:
        won = Q(place=1) if base == first else Q(Exists(_winning(first)))
        rows = rows.filter(won if sought.outcome == Outcome.WON else ~won)
    if sought.mark:
        # A value that each row asks for by an index: as a condition it may be answered by reading all marks first.
        mark = Mark.objects.filter(game=OuterRef("game"), code=sought.mark).values("pk")[:1]
        rows = rows.annotate(mark=Subquery(mark)).filter(mark__isnull=False)
    return rows


def _winning(person: int) -> QuerySet[Result]:
    return Result.objects.filter(game=OuterRef("game"), user=person, place=1)


def _least_busy(people: Collection[int]) -> int:
    """Return who of some people has the fewest finished games: their rows are those to go through."""
    played = dict(Career.objects.filter(user__in=people).values_list("user").annotate(games=Sum(F("games"))))
    return min(people, key=lambda person: (played.get(person, 0), person))
