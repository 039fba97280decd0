"""Lists of games: a person's own, what workers look for."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Substr

from games.log.seats import with_seats
from games.log.unseen import told_to
from games.models import Entry, Game, Invitation, Message, Seat, SeenMark
from games.models.choices import Status
from games.queries.due import not_set_back
from games.queries.messages import MOST_COUNTED
from statements import Parameter, Select

if TYPE_CHECKING:
    from accounts.models import User


EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MICROSECOND: Final = 10**17
"""What may be asked for: far beyond what there is, within what the database can compare."""
LONGEST_NUMBER: Final = 18


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a page begins: after the game of this number that moved, or ended, at this instant."""

    at: datetime
    pk: int

    @property
    def text(self) -> str:
        """The same as text for an address."""
        return f"{micros_of(self.at)}-{self.pk}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return where a page begins; None, which is the first page, for what says nothing."""
        parts = text.split("-")
        if len(parts) != 2 or any(not _is_number(part) for part in parts):
            return None
        micros, pk = map(int, parts)
        return cls(instant_of(micros), pk) if micros < LAST_MICROSECOND else None


def micros_of(instant: datetime) -> int:
    """Return an instant as microseconds since 1970."""
    return round(instant.timestamp() * 1_000_000)


def instant_of(micros: int) -> datetime:
    """Return the instant so many microseconds after the beginning of 1970, fewer than `LAST_MICROSECOND`."""
    return EPOCH + timedelta(microseconds=micros)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER


TO_MOVE: Final = Select(
    Seat.objects.filter(user=Parameter("user"), ended_at=None, game__status=Status.ACTIVE, number=F("game__to_move"))
    .values("user")
    .annotate(games=Count("pk"))
    .order_by()
    .values_list("games")
)
FIRST_WORDS: Final = 120
"""So many characters of a message stand in a list of games."""


class MyList(StrEnum):
    """The lists of a person's games, those that wait for them first."""

    TO_MOVE = "to-move"
    """Running, the person is to move; the most urgent first. In both, ``game.last_turn`` is the last move, by
    ``last_seat`` at ``last_at``: empty where somebody left, None before the first."""
    INVITED = "invited"
    """Not started, the person is asked to take a seat by who is called ``game.invited_by``."""
    WAITING = "waiting"
    """Running, someone else is to move; the one that moved last first."""
    OPEN = "open"
    """Not started, the person has a seat."""
    ENDED = "ended"
    """Finished or cancelled, newest first: the only one that grows and grows."""


def my_games(user: "User", which: MyList) -> QuerySet[Game]:
    """Return one list of a person's games that have not ended, without their seats, to be sliced into pages."""
    seated = _created().filter(seats__user=user, seats__ended_at=None).annotate(own_number=F("seats__number"))
    match which:
        case MyList.TO_MOVE:
            mine = seated.filter(status=Status.ACTIVE, to_move=F("own_number"))
            return _most_urgent(with_last_move(_with_unread(mine, user)))
        case MyList.WAITING:
            others = seated.filter(status=Status.ACTIVE).exclude(to_move=F("own_number"))
            return with_last_move(_with_unread(others, user)).order_by(F("turn_began_at").desc(nulls_last=True), "-pk")
        case MyList.OPEN:
            return seated.filter(status=Status.OPEN).order_by("-created_at", "-pk")
        case MyList.ENDED:
            raise ValueError(which)
        case MyList.INVITED:
            by = _invitations(user).filter(game=OuterRef("pk")).values("by__display_name")[:1]
            asked = _created().filter(pk__in=_invitations(user).values("game")).annotate(invited_by=Subquery(by))
            return asked.order_by("-created_at", "-pk")


def ended_games(user: "User", size: int, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return at most ``size`` of a person's ended games, with where the next page begins, None on the last.

    Without their seats: one query, whose cost is that of one page however many games there are.
    """
    own = {"own_end": F("seats__ended_at"), "own_number": F("seats__number")}
    ended = _created().filter(seats__user=user, seats__ended_at__isnull=False).annotate(**own)
    return page_of_games(_with_unread(ended, user), "own_end", size, after)


def page_of_games(
    games: QuerySet[Game], column: str, size: int, after: Moment | None
) -> tuple[list[Game], Moment | None]:
    """Return a page of games by the instants in a column, latest first, and where the next one begins."""
    if after is not None:
        games = games.filter(beyond(after, column))
    page = list(games.order_by(f"-{column}", "-pk")[: size + 1])
    if len(page) <= size:
        return page, None
    last = page[size - 1]
    return page[:size], Moment(getattr(last, column), last.pk)


def beyond(after: Moment, column: str, number: str = "pk") -> Q:
    """Return the condition of the rows of a later page: by the instants in a column, then by the numbers of games."""
    later = Q(**{f"{column}__lt": after.at}) | Q(**{column: after.at, f"{number}__lt": after.pk})
    # The first condition is where an index begins to be read: no database sees that in the second one.
    return Q(**{f"{column}__lte": after.at}) & later


def count_my_games(user: "User") -> dict[MyList, int]:
    """Return how long each list of a person's games that have not ended is: two queries."""
    active, own = Q(game__status=Status.ACTIVE), Q(game__to_move=F("number"))
    kinds = {
        MyList.TO_MOVE: active & own,
        MyList.WAITING: active & ~own,
        MyList.OPEN: Q(game__status=Status.OPEN),
    }
    counts = {which.name: Count("pk", filter=condition) for which, condition in kinds.items()}
    seated = Seat.objects.filter(user=user, ended_at=None).aggregate(**counts)
    return {which: seated[which.name] for which in kinds} | {MyList.INVITED: _invitations(user).count()}


def game_to_show() -> str | None:
    """Return the key of a public game for anyone to look at, or None: one query, two where none is running.

    It is the one that started last, is past its first round and still runs, else the one that was finished last.
    """
    public = Game.objects.filter(public=True, players_only=False, round__gt=1)
    running = public.filter(status=Status.ACTIVE).order_by("-started_at", "-pk")
    finished = public.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")
    key = running.values_list("key", flat=True).first()
    return key or finished.values_list("key", flat=True).first()


def games_to_move(user: "User") -> QuerySet[Game]:
    """Return the running games in which the person is to move."""
    seats = Seat.objects.filter(user=user, ended_at=None, game__status=Status.ACTIVE, number=F("game__to_move"))
    return Game.objects.filter(pk__in=seats.values("game"))


def count_games_to_move(user: "User") -> int:
    """Return in how many running games the person is to move, as every page says it: one query."""
    found = TO_MOVE.first(user=user.pk)
    return 0 if found is None else int(found[0])


def next_to_move(user: "User", *, besides: Game) -> Game | None:
    """Return the most urgent other game in which the person is to move: one query."""
    return _most_urgent(games_to_move(user).exclude(pk=besides.pk)).only("key").first()


class BotTurn(NamedTuple):
    """A computer player's turn: the game, its last entry, and whose game it is (None for who has left the site)."""

    game: int
    seq: int
    person: int | None


def games_awaiting_bots(size: int, now: datetime, *, since: datetime | None = None) -> list[BotTurn]:
    """Return running games in which a computer player is to move, longest waiting first; those that wait ``since``.

    Those whose turn could not be played a moment ago are left out.
    """
    games = not_set_back(Game.objects.filter(bot_to_move=True), now).order_by("turn_began_at")
    if since is not None:
        games = games.filter(turn_began_at__lte=since)
    return [BotTurn(*row) for row in games.values_list("pk", "seq", "creator_id")[:size]]


def _most_urgent(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.order_by(F("deadline").asc(nulls_last=True), "turn_began_at", "pk")


def with_last_move(games: QuerySet[Game]) -> QuerySet[Game]:
    """Add ``last_turn``, ``last_seat`` and ``last_at`` of the newest entry to games."""
    last = Entry.objects.filter(game=OuterRef("pk"), seq=OuterRef("seq"))
    return games.annotate(**{f"last_{name}": Subquery(last.values(name)[:1]) for name in ("turn", "seat", "at")})


def _with_unread(games: QuerySet[Game], user: "User") -> QuerySet[Game]:
    """Add to games what a person has not read in them; ``own_number`` is the number of their seat."""
    newest = _unread(user, OuterRef("pk"), OuterRef("own_number"))
    some = _unread(user, OuterRef(OuterRef("pk")), OuterRef(OuterRef("own_number"))).values("pk")[: MOST_COUNTED + 1]
    count = Message.objects.filter(pk__in=some).order_by().values("game").annotate(count=Count("pk")).values("count")
    return games.annotate(
        unread=Coalesce(Subquery(count), 0),
        unread_seat=Subquery(newest.values("seat")[:1]),
        unread_text=Subquery(newest.annotate(beginning=Substr("text", 1, FIRST_WORDS)).values("beginning")[:1]),
    )


def _unread(user: "User", game: Any, own_number: Any) -> QuerySet[Message]:
    """Return what others wrote in a game and a person has not read, the newest first."""
    mark = SeenMark.objects.filter(user=user, game=OuterRef("game")).values("up_to")[:1]
    messages = told_to(Message.objects.filter(game=game), user.pk).exclude(seat=own_number)
    return messages.filter(pk__gt=Coalesce(Subquery(mark), 0)).order_by("-pk")


def _invitations(user: "User") -> QuerySet[Invitation]:
    """Return the invitations that the person can still take up."""
    seated = Seat.objects.filter(game=OuterRef("game"), user=user)
    return Invitation.objects.filter(~Exists(seated), user=user, declined_at=None, game__status=Status.OPEN)


def listed() -> QuerySet[Game]:
    """Return all games as lists take them, with their seats and who created them."""
    return with_seats(_created())


def _created() -> QuerySet[Game]:
    return Game.objects.select_related("creator")
