"""What the seats of a game are called."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.names import is_kept, isolate
from games.models import Seat


class Named(Protocol):
    """What has names for the computer players of one kind: for the first one, the second."""

    @property
    def names(self) -> Sequence[str]:
        """What they are called."""
        ...


type BotNames = Mapping[str, Named]
"""What the computer players of each kind are called, by its code."""


class _Bots:
    """Where the names of computer players come from: the presenters, which this room does not know."""

    names_of: Callable[[str], BotNames] = staticmethod(lambda _ruleset: {})


def take_bot_names(names_of: Callable[[str], BotNames]) -> None:
    """Take the names of a ruleset's computer players from a function that knows the games: once, at the start."""
    _Bots.names_of = staticmethod(names_of)


def seat_names(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return what the seats of one game, all of them in their order, are called in the active language.

    A person's seat has the person's name of today, set apart from what stands around it (`accounts.names.isolate`); the
    record keeps the one of the start. Computer players have names of their own, by their kind and their number in it; a
    seat whose person is gone is called after its number. For these no name is stored, and one that an older version
    stored is not shown: `accounts.names.is_kept` distinguishes it from that of a person who has no account here.
    """
    return tuple(map(isolate, _plain_names(tuple(seats))))


def record_names(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return what the seats of one game are called in its record, which is the same for every reader: in English."""
    with override("en"):
        return _plain_names(tuple(seats))


def bot_name(ruleset: str, bot: str, number: int) -> str:
    """Return what a game's computer player of that number among its kind is called; without a name, after its code."""
    kind = _Bots.names_of(ruleset).get(bot)
    names = (f"{bot.capitalize()} bot",) if kind is None else kind.names
    return names[number - 1] if number <= len(names) else f"{names[0]} {number}"


def _plain_names(seats: tuple[Seat, ...]) -> tuple[str, ...]:
    numbers = _number_bots(seats) if any(seat.bot for seat in seats) else {}
    return tuple(_seat_name(seat, numbers.get(index, 1)) for index, seat in enumerate(seats))


def _seat_name(seat: Seat, number: int) -> str:
    if seat.bot:
        return bot_name(seat.game.ruleset, seat.bot, number)
    if seat.user is not None:
        return seat.user.display_name
    if seat.name and not is_kept(seat.name):
        return seat.name
    return _("Former player") if seat.number is None else _("Former player %(number)s") % {"number": seat.number}


def _number_bots(seats: tuple[Seat, ...]) -> dict[int, int]:
    """Return the numbers of computer players by their place in ``seats``: from 1 among those that share names.

    They are numbered by their seats; where names are stored, by those names, which end in the number that each had.
    """
    first = {index: bot_name(seat.game.ruleset, seat.bot, 1) for index, seat in enumerate(seats) if seat.bot}
    numbers: dict[str, Iterator[int]] = {name: count(1) for name in first.values()}
    return {index: next(numbers[first[index]]) for index in sorted(first, key=lambda index: seats[index].name)}
