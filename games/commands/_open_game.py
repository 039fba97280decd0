"""What happens to a locked open game in more than one command."""

from datetime import datetime

from games.commands._clocks import add_remark
from games.commands._lock import save_change
from games.errors import GameCode, GameError
from games.log.positions import rules_of
from games.models import Game, Seat
from games.models.choices import RemarkKind, Status
from games.notices.facts import CancelledBy, GameCancelled
from games.notices.outbox import enqueue


def seat_bot(game: Game, bot: str) -> None:
    """Add a computer player's seat to an open game that has room for it. Raises `GameError` (``unknown-bot``)."""
    if bot not in rules_of(game).bots:
        raise GameError(GameCode.UNKNOWN_BOT, bot=bot)
    Seat.objects.create(game=game, bot=bot)


def withdraw(game: Game, kind: RemarkKind, why: CancelledBy, now: datetime) -> None:
    """Cancel a locked open game, with a remark of that kind."""
    game.status = Status.CANCELLED
    game.finished_at = now
    save_change(game, "status", "finished_at")
    add_remark(game, kind, now)
    enqueue(game, GameCancelled(why), now=now)
