"""Whom the site shows a good turn, and from which position one is thought of."""

from typing import Any

from engine.contract import Rules
from games.log.positions import position_at, rules_of
from games.log.table import Table
from games.models import Game
from games.models.choices import Status


def may_ask_advice(table: Table) -> bool:
    """Return whether the reader plays against computer players alone, and is to move."""
    own = table.viewer
    return own is not None and own == table.mover and all(seat.bot for seat in table.seats if seat != own)


def position_to_advise(game_id: int, seq: int) -> tuple[Rules[Any], Any] | None:
    """Return the rules and the state of a running game after its last entry ``seq``; None if it has gone on."""
    game = Game.objects.filter(pk=game_id, seq=seq, status=Status.ACTIVE, bot_to_move=False).first()
    return None if game is None else (rules_of(game), position_at(game, seq).state)
