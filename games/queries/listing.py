"""Lists of games as programs ask for them: by status, one's own or public ones, a page at a time."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Self

from django.db.models import F, Q

from games.log.seats import load_all_seats, with_seats
from games.log.table import Reader
from games.models import Game
from games.models.choices import Status
from games.queries.lists import (
    LAST_MICROSECOND,
    Moment,
    MyList,
    games_to_move,
    listed,
    micros_of,
    my_games,
    page_of_games,
)
from games.queries.open_games import spared
from games.queries.watch import Watched, games_to_watch

if TYPE_CHECKING:
    from accounts.models import User

LIST_SIZE: Final = 24
_NEVER: Final = LAST_MICROSECOND
"""How a deadline is written that there is not: after all others."""


@dataclass(frozen=True, slots=True)
class Urgent:
    """Where a page of games that wait for somebody begins: after this deadline, None for none, and this number."""

    deadline: datetime | None
    pk: int

    @property
    def text(self) -> str:
        """The same as text for an address."""
        return f"{_NEVER if self.deadline is None else micros_of(self.deadline)}-{self.pk}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return where a page begins; None, which is the first page, for what says nothing."""
        begin, _dash, pk = text.partition("-")
        if begin == str(_NEVER) and (moment := Moment.read(f"0-{pk}")):
            return cls(None, moment.pk)
        moment = Moment.read(text)
        return None if moment is None else cls(moment.at, moment.pk)


def public_games(status: Status, reader: Reader, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of public games of a status, with their seats, and where the next begins: three queries at most.

    Open ones the newest first, running ones by their last move, finished ones by their end. Those with people who are
    to be kept apart from the reader are left out of the open ones. Cancelled games are in no public list.
    """
    match status:
        case Status.OPEN:
            games = spared(listed().filter(status=Status.OPEN, public=True), reader)
            return page_of_games(games, "created_at", LIST_SIZE, after)
        case Status.ACTIVE:
            return games_to_watch(Watched.RUNNING, after)
        case Status.FINISHED:
            return games_to_watch(Watched.FINISHED, after)
        case _:
            return [], None


def games_for_bots(reader: Reader, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of the open public games that bots may join, as `public_games` does."""
    games = spared(listed().filter(status=Status.OPEN, public=True, takes_bots=True), reader)
    return page_of_games(games, "created_at", LIST_SIZE, after)


def games_invited_to(user: "User", after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of the open games to which a person is invited, the newest first: two queries."""
    return page_of_games(with_seats(my_games(user, MyList.INVITED)), "created_at", LIST_SIZE, after)


def own_games(status: Status, user: "User", after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of the games of a status in which a person has a seat, the newest first: two queries.

    Games that are over by their end, the others by when they were created.
    """
    is_over = status in {Status.FINISHED, Status.CANCELLED}
    seated = Game.objects.select_related("creator").filter(
        status=status, seats__user=user, seats__ended_at__isnull=not is_over
    )
    column = "own_end" if is_over else "created_at"
    games, following = page_of_games(seated.annotate(own_end=F("seats__ended_at")), column, LIST_SIZE, after)
    load_all_seats(games)
    return games, following


def games_waiting(user: "User", after: Urgent | None = None) -> tuple[list[Game], Urgent | None]:
    """Return a page of the running games in which a person is to move, the most urgent first: two queries."""
    games = with_seats(games_to_move(user).select_related("creator"))
    if after is not None and after.deadline is None:
        games = games.filter(deadline=None, pk__gt=after.pk)
    elif after is not None:
        later = Q(deadline__gt=after.deadline) | Q(deadline=after.deadline, pk__gt=after.pk)
        games = games.filter(later | Q(deadline=None))
    page = list(games.order_by(F("deadline").asc(nulls_last=True), "pk")[: LIST_SIZE + 1])
    if len(page) <= LIST_SIZE:
        return page, None
    last = page[LIST_SIZE - 1]
    return page[:LIST_SIZE], Urgent(last.deadline, last.pk)
