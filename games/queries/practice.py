"""A position that is played on without a stored game: everything is made anew from where it begins and what was played.

What a page gets of it is a `GamePage` like any other, about a game and seats that are in no database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from engine.contract import JsonObject
from engine.contract import Seat as SeatNumber
from engine.rulesets import RULESETS
from games.log.positions import Snapshot
from games.log.table import Table
from games.models import Game, Seat
from games.models.choices import Actor, Status
from games.queries.game_page import GamePage
from games.queries.log import LogLine
from games.queries.moves import Move

MOST_TURNS: Final = 60
"""So many turns are played on from one position."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
"""When a turn was played of which nobody asks that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a practice begins: its ``state`` is for the rules, never for a template."""

    ruleset: str
    options: JsonObject
    state: Any
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    learner: SeatNumber | None = None
    """The one seat that the reader plays, who sees what it sees; None: they play all seats, and see everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A position that was reached by turns from where it began."""

    page: GamePage
    """What a page about it shows to its reader."""
    reached: tuple[Snapshot, ...]
    """All positions, the beginning first. For the rules, never for a template."""
    turns: tuple[str, ...]

    @property
    def position(self) -> Snapshot:
        """The last position, for the rules."""
        return self.reached[-1]

    def moves(self, first: int, last: int) -> tuple[Move, ...]:
        """Return the turns from ``first`` to ``last``, counted from 1, as the reader may see them."""
        rules, table, moves = RULESETS[self.page.game.ruleset], self.page.table, []
        for before, after in pairwise(self.reached[max(first, 1) - 1 : last + 1]):
            seat = rules.summary(before.state).seat or 0
            is_open = table.is_open_to_all
            line = LogLine(
                seq=after.seq,
                seat=seat,
                turn=rules.view_turn(self.turns[before.seq], own=is_open or seat == table.viewer_number),
                event="",
                reason="",
                by=Actor.PLAYER,
                at=_NEVER,
                events=after.events if is_open else rules.view_events(after.events, table.viewer_number),
            )
            views = (rules.view(each.state, table.viewer_number, ended=is_open) for each in (before, after))
            moves.append(Move(line, *views))
        return tuple(moves)


def practise(start: Start, turns: Sequence[str] = ()) -> Practice:
    """Return what ``turns`` make of a position. No query. Raises `RulesError` if one of them is not legal."""
    rules = RULESETS[start.ruleset]
    reached = [Snapshot(0, start.state, ())]
    for seq, turn in enumerate(turns, 1):
        applied = rules.apply_turn(reached[-1].state, turn)
        reached.append(Snapshot(seq, applied.state, applied.events))
    state, events = reached[-1].state, reached[-1].events
    summary = rules.summary(state)
    is_open, number = start.learner is None, start.learner or summary.seat
    game = Game(
        key="",
        ruleset=start.ruleset,
        size=len(start.seats),
        options=start.options,
        status=Status.FINISHED if summary.finished else Status.ACTIVE,
        seq=len(turns),
        to_move=summary.seat,
        round=summary.round,
        turns=summary.turns,
    )
    table = Table(
        game=game,
        seats=start.seats,
        names=start.names,
        viewer=None if number is None else start.seats[number - 1],
        mover=None if summary.seat is None else start.seats[summary.seat - 1],
        people=(),
        is_open_to_all=is_open,
    )
    page = GamePage(
        game=game,
        table=table,
        seq=game.seq,
        view=rules.view(state, number, ended=is_open),
        summary=summary,
        events=events if is_open else rules.view_events(events, number),
    )
    return Practice(page=page, reached=tuple(reached), turns=tuple(turns))


def new_seats(names: Sequence[str]) -> tuple[Seat, ...]:
    """Return seats that nobody holds, with these names, in no database."""
    return tuple(Seat(number=number, name=name) for number, name in enumerate(names, 1))
