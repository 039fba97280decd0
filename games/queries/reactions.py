"""How people reacted to messages and moves."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, Q, Value, When, Window
from django.db.models.functions import RowNumber

from accounts.blocks import blocked_by
from accounts.models import User
from games.log.table import Reader, Table
from games.log.talk import Thing, why_not_write_room
from games.log.unseen import heard_by, shown_to
from games.models import Game, Reaction
from games.queries.by_key import game_by_key
from games.words.reactions import who_reacted

NAMED: Final = 10
"""So many people are named under one reaction; all are counted."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many people reacted in one way to one thing."""

    kind: str
    count: int
    names: tuple[str, ...]
    """The reader's first; at most `NAMED`."""
    own: bool
    """Whether the reader is one of them."""

    @property
    def told(self) -> str:
        """Who they are, in one phrase."""
        return who_reacted(self.names, self.count)


type Tallies = Mapping[tuple[Thing, int], tuple[Tally, ...]]
"""By what it is and its number: of a spectator's message that of its row."""


@dataclass(frozen=True, slots=True)
class Reactable:
    """What a person can react to."""

    game: Game
    thing: Thing
    number: int
    name: str
    """Of who wrote or played it."""
    text: str
    """What they wrote; empty for a move."""
    tallies: tuple[Tally, ...]


def reactions_to(game: Game, reader: Reader, things: Mapping[Thing, Collection[int]]) -> Tallies:
    """Return the reactions to some things in a game, but those of people whom the reader has blocked: one query."""
    wanted = Q(pk=None)
    for thing, numbers in things.items():
        if numbers:
            wanted |= Q(**{f"{thing}__in": numbers})
    me = (reader.pk if reader is not None else None) or 0
    kinds = [*Thing, "kind"]
    own_first: list[Case | str] = [Case(When(user=me, then=Value(0)), default=Value(1)), "pk"]
    rows = (
        Reaction.objects.filter(wanted, game=game)
        .exclude(user__in=blocked_by(me))
        .annotate(
            place=Window(RowNumber(), partition_by=kinds, order_by=own_first),
            count=Window(Count("pk"), partition_by=kinds),
        )
        .filter(place__lte=NAMED)
        .select_related("user")
        .order_by("place")
    )
    found: dict[tuple[Thing, int], dict[str, list[Reaction]]] = {}
    for row in rows:
        found.setdefault(_thing_of(row), {}).setdefault(row.kind, []).append(row)
    return {thing: tuple(_tally(kind, of_kind, me) for kind, of_kind in rows.items()) for thing, rows in found.items()}


def thing_to_react_to(key: str, reader: User, thing: Thing, number: int) -> Reactable | None:
    """Return what another person wrote or played, if the reader may react to it: four queries.

    Raises `GameError` (``no-such-game``).
    """
    game = game_by_key(key, reader)
    table = Table.of(game, reader)
    found = _in_room(game, reader, number) if thing == Thing.SPECTATOR_MESSAGE else _of(table, reader, thing, number)
    if found is None:
        return None
    pk, name, text = found
    tallies = reactions_to(game, reader, {thing: [pk]}).get((thing, pk), ())
    return Reactable(game, thing, number, name, text, tallies)


def _of(table: Table, reader: User, thing: Thing, number: int) -> tuple[int, str, str] | None:
    if table.viewer is None or table.viewer_number is None:
        return None
    seat: int | None
    if thing == Thing.MESSAGE:
        message = shown_to(table.game.messages.filter(pk=number), reader.pk).first()
        seat, text = (None, "") if message is None else (message.seat, message.text)
    else:
        seat, text = table.game.entries.filter(seq=number).values_list("seat", flat=True).first(), ""
    return None if seat is None or seat == table.viewer_number else (number, table.names[seat - 1], text)


def _in_room(game: Game, reader: User, number: int) -> tuple[int, str, str] | None:
    if why_not_write_room(game, reader) is not None:
        return None
    message = heard_by(game, reader.pk).filter(number=number).first()
    author = None if message is None else message.spectator.user
    return (
        None if message is None or author is None or author == reader else (message.pk, author.shown_name, message.text)
    )


def _thing_of(row: Reaction) -> tuple[Thing, int]:
    if row.message_id is not None:
        return Thing.MESSAGE, row.message_id
    if row.move is not None:
        return Thing.MOVE, row.move
    assert row.spectator_message_id is not None
    return Thing.SPECTATOR_MESSAGE, row.spectator_message_id


def _tally(kind: str, rows: list[Reaction], me: int) -> Tally:
    names = tuple(row.user.shown_name for row in rows)
    return Tally(kind, rows[0].count, names, own=rows[0].user_id == me)  # type: ignore[attr-defined] # annotated
