"""The columns of games and seats that follow from the log: one definition, to write them and to verify them."""

from datetime import datetime

from engine.contract import Summary
from games.log.seats import seats_of
from games.models import Game, Seat
from games.models.choices import Status

GAME_COLUMNS = (
    "status",
    "seq",
    "head",
    "to_move",
    "round",
    "turns",
    "turn_began_at",
    "bot_to_move",
    "finished_at",
)
SEAT_COLUMNS = ("points", "place", "retired")


def derive_game(game: Game, summary: Summary, *, seq: int, head: str, at: datetime) -> None:
    """Set a game's derived columns after entry ``seq`` (0: after set-up), made at ``at``; ``head`` is its digest.

    Entries must come in order, as the instant at which the turn began is that of the last one that changed it.
    """
    if (game.to_move, game.turns) != (summary.seat, summary.turns) or seq == 0:
        game.turn_began_at = at
    game.seq = seq
    game.head = head
    game.to_move = summary.seat
    game.round = summary.round
    game.turns = summary.turns
    game.status = Status.FINISHED if summary.finished else Status.ACTIVE
    game.finished_at = at if summary.finished else None
    game.bot_to_move = any(seat.bot for seat in seats_of(game) if seat.number == summary.seat)


def derive_cancelled(game: Game, at: datetime) -> None:
    """Set the derived columns of a running game that was cancelled at ``at``, whatever its log goes on to."""
    game.status = Status.CANCELLED
    game.to_move = None
    game.bot_to_move = False
    game.finished_at = at


def derive_seats(game: Game, summary: Summary) -> list[Seat]:
    """Set the derived columns of a started game's seats and return those that changed."""
    return [seat for seat in seats_of(game) if seat.number is not None and _derive_seat(seat, seat.number, summary)]


def _derive_seat(seat: Seat, number: int, summary: Summary) -> bool:
    derived: dict[str, int | bool | None] = {
        "points": summary.points[number - 1],
        "place": None if summary.ranking is None else summary.ranking[number - 1],
        "retired": number in summary.retired,
    }
    changed = any(getattr(seat, column) != value for column, value in derived.items())
    for column, value in derived.items():
        setattr(seat, column, value)
    return changed
