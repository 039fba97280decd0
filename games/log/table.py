"""Who sits at a game's table, and who must act: the one answer for pages, timers, notices and tasks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from games.log.seats import seats_of
from games.models import Game, Seat
from games.models.choices import Status
from games.words.seats import seat_names

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


type Reader = User | AnonymousUser | None
"""Who looks: a person, or a guest."""


ENDED: Final = frozenset({Status.FINISHED, Status.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Who sits at a game's table, for one reader in their language: made once a request, as the game is then."""

    game: Game
    seats: tuple[Seat, ...]
    """By number; before the start in order of joining. ``seat.user`` is loaded."""
    names: tuple[str, ...]
    """What the seats are called in the language of the reader."""
    viewer: Seat | None
    """The reader's own seat, None for guests."""
    mover: Seat | None
    """The seat that must act now for the game to go on."""
    people: tuple[int, ...]
    """The numbers of the seats of people who still play in a started game."""
    is_open_to_all: bool
    """Whether nothing of the game is hidden any more."""

    @classmethod
    def of(cls, game: Game, reader: "Reader" = None) -> Self:
        """Return the table of a game whose seats and users are loaded."""
        seats = tuple(seats_of(game))
        return cls(
            game=game,
            seats=seats,
            names=seat_names(seats),
            viewer=seat_of(game, reader),
            mover=next_actor(game),
            people=people_in(game),
            is_open_to_all=is_open_to_all(game),
        )

    @property
    def viewer_number(self) -> int | None:
        """The number of the reader's seat, None for guests and before the start."""
        return None if self.viewer is None else self.viewer.number

    @property
    def seated(self) -> tuple[tuple[Seat, str], ...]:
        """Each seat with its name."""
        return tuple(zip(self.seats, self.names, strict=True))

    @property
    def mover_name(self) -> str:
        """What the seat that must act is called, empty if there is none."""
        return "" if self.mover is None else self.names[self.seats.index(self.mover)]

    @property
    def rivals(self) -> tuple[str, ...]:
        """The names of all seats but the reader's."""
        return tuple(name for seat, name in self.seated if seat != self.viewer)


def next_actor(game: Game) -> Seat | None:
    """Return the seat that must act for the game to go on, or None if it waits for nobody.

    The one answer to "whose move is it", for pages, timers, notices and tasks. Uses seats that were prefetched.
    """
    if game.status != Status.ACTIVE:
        return None
    return next((seat for seat in seats_of(game) if seat.number == game.to_move), None)


def people_in(game: Game) -> tuple[int, ...]:
    """Return the numbers of the seats of people who still play in a started game, in order. Uses loaded seats."""
    seats = (seat for seat in seats_of(game) if seat.user_id is not None and not seat.retired)
    return tuple(seat.number for seat in seats if seat.number is not None)


def seat_of(game: Game, reader: Reader) -> Seat | None:
    """Return the seat that ``reader`` holds in a game, or None."""
    if reader is None or not reader.is_authenticated:
        return None
    return next((seat for seat in seats_of(game) if seat.user_id == reader.pk), None)


def may_watch(game: Game, reader: Reader) -> bool:
    """Return whether a reader may look at a game at all: at one for its players only, once started, not everyone may.

    The staff may: what is reported to them they have to see. Before the start there is nothing to watch, and whoever
    has its address may take a seat. Uses loaded seats.
    """
    if not game.players_only or not game.was_set_up:
        return True
    return seat_of(game, reader) is not None or (reader is not None and reader.is_authenticated and reader.is_staff)


def is_open_to_all(game: Game) -> bool:
    """Return whether nothing of the game is hidden any more, because it has ended."""
    return game.status in ENDED
