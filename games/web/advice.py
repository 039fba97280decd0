"""A good turn that a person has asked to be shown, on the page of a game against computer players."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.contract import split_turn
from games.commands.advise import find_advice
from games.log.positions import position_at, rules_of
from games.presenters.registry import PRESENTERS
from games.queries.advice import may_ask_advice
from games.queries.game_page import GamePage


@dataclass(frozen=True, slots=True)
class Advice:
    """A turn and what it does, in sentences; empty while there is none. ``thinking``: somebody is at it."""

    turn: str
    lines: Sequence[str]
    thinking: bool


def advice_on(page: GamePage) -> Advice | None:
    """Return what the reader is shown of a good turn now; None where they may not ask for one."""
    if page.seq != page.game.seq or not page.may_move or not may_ask_advice(page.table):
        return None
    turn, thinking = find_advice(game_id=page.game.pk, seq=page.seq)
    if not turn:
        return Advice("", (), thinking)
    rules = rules_of(page.game)
    events = rules.play_steps(position_at(page.game, page.seq).state, split_turn(turn)).events
    seen = rules.view_events(events, page.viewer_number)
    return Advice(turn, PRESENTERS[page.game.ruleset].narrate(seen, turn, page.table.names), thinking=False)
