"""A person's list of friends: whom to invite, and whose turn it is in the games with them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Case, Exists, F, IntegerField, OuterRef, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from accounts.models import User
from games.models import Friend, Game, Invitation, Removal, Seat
from games.models.choices import Status
from games.queries.lists import listed

if TYPE_CHECKING:
    from games.queries.game_page import GamePage

GAMES_WITH_ONE: Final = 3
"""So many games with a friend are shown on the list."""
MOST_OFFERED: Final = 24
"""So many friends are offered to be invited by one press; the others by their name."""


@dataclass(frozen=True, slots=True)
class FriendRow:
    """A friend, and the running games with them, those that wait for the reader first, then for the friend."""

    person: User
    games: tuple[Game, ...]
    """`GAMES_WITH_ONE` at most, with their seats and users loaded."""


def friends_of(user: User) -> QuerySet[Friend]:
    """Return the friends of a person who are still there, by name, to be sliced into pages; ``friend`` is loaded."""
    confirmed = Friend.objects.filter(
        user=user, friend__is_active=True, friend__confirmed_address=F("friend__email")
    ).select_related("friend")
    return confirmed.order_by("friend__name_key")


def with_games(user: User, friends: Iterable[User]) -> list[FriendRow]:
    """Return friends with the games that are played with them: three queries."""
    people = list(friends)
    own = Seat.objects.filter(user=user, ended_at=None, game__status=Status.ACTIVE, retired=False)
    waits_for = Case(
        When(Exists(own.filter(game=OuterRef("game"), number=OuterRef("game__to_move"))), then=Value(0)),
        When(game__to_move=F("number"), then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    soonest = (waits_for.asc(), F("game__deadline").asc(nulls_last=True), F("game").asc())
    rank = Window(RowNumber(), partition_by=F("user"), order_by=soonest)
    together = Seat.objects.filter(user__in=people, ended_at=None, retired=False, game__in=own.values("game"))
    best = together.annotate(rank=rank).filter(rank__lte=GAMES_WITH_ONE)
    pairs = list(best.order_by("user", "rank").values_list("user", "game"))
    games = {game.pk: game for game in listed().filter(pk__in={game for _person, game in pairs})}
    return [FriendRow(person, tuple(games[game] for one, game in pairs if one == person.pk)) for person in people]


def people_to_invite(user: User, number: int | None) -> list[User]:
    """Return whom a person may ask to a new game: some of their friends, and who goes by a number: two queries."""
    friends = [row.friend for row in friends_of(user)[:MOST_OFFERED]]
    if number is None or number == user.pk or any(friend.pk == number for friend in friends):
        return friends
    return [*User.objects.confirmed().filter(pk=number), *friends]


def friends_to_invite(user: User, page: "GamePage") -> list[User]:
    """Return friends who have neither a seat in an open game, nor were they asked or removed: one query."""
    out = [Invitation.objects.filter(game=page.game, by_address=False), Removal.objects.filter(game=page.game)]
    seated = [seat.user_id for seat in page.seats if seat.user_id is not None]
    free = friends_of(user).exclude(friend__in=seated)
    for rows in out:
        free = free.exclude(friend__in=rows.values("user"))
    return [row.friend for row in free[:MOST_OFFERED]]
