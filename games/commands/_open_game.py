"""What happens to a locked open game in more than one command."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef

from accounts.models import User
from games.commands._clocks import add_remark
from games.commands._lock import save_change
from games.errors import GameCode, GameError
from games.log.positions import rules_of
from games.log.seats import load_seats
from games.models import Game, Seat
from games.models.choices import RemarkKind, Status
from games.notices.facts import CancelledBy, GameCancelled
from games.notices.outbox import enqueue

MOST_BOT_GAMES: Final = 20
"""In how many running games with computer players one person can play."""
MOST_GAMES: Final = 50
"""In how many open and running games one bot, somebody's program, can sit."""
MOST_NEW_BOT_GAMES: Final = 30
"""How many games with computer players one person can create within `RECENT`."""
RECENT: Final = timedelta(days=1)
"""Within which time what one person began is counted."""


def terms_of(game: Game) -> dict[str, Any]:
    """Return the terms on which the same people play again."""
    return {
        "ruleset": game.ruleset,
        "size": game.size,
        "options": game.options,
        "public": game.public,
        "players_only": game.players_only,
        "name": game.name,
        "time_control": game.time_control,
        "takes_bots": game.takes_bots,
        "rated": game.rated,
    }


def seat_bot(game: Game, bot: str) -> None:
    """Add a computer player's seat to an open game that has room for it.

    One that is on offer no more takes a seat only where it had one in the game before. Raises `GameError`
    (``unknown-bot``).
    """
    rules, old = rules_of(game), game.rematch_of
    if bot not in rules.bots and not (bot in rules.former_bots and old and old.seats.filter(bot=bot).exists()):
        raise GameError(GameCode.UNKNOWN_BOT, bot=bot)
    Seat.objects.create(game=game, bot=bot)


def limit_bot_games(user: User, now: datetime) -> None:
    """Refuse one game with computer players too many, running or new. The person's row is to be locked.

    Raises `GameError`: ``too-many-bot-games``, ``too-many-new-bot-games``.
    """
    with_bots = Game.objects.filter(Exists(Seat.objects.filter(game=OuterRef("pk")).exclude(bot="")))
    playing = with_bots.filter(status=Status.ACTIVE, seats__user=user, seats__ended_at=None, seats__retired=False)
    if playing.count() >= MOST_BOT_GAMES:
        raise GameError(GameCode.TOO_MANY_BOT_GAMES, most=MOST_BOT_GAMES)
    if with_bots.filter(creator=user, created_at__gt=now - RECENT).count() >= MOST_NEW_BOT_GAMES:
        raise GameError(GameCode.TOO_MANY_NEW_BOT_GAMES, most=MOST_NEW_BOT_GAMES)


def limit_games(user: User) -> None:
    """Refuse one game too many to a bot, somebody's program, whose row is locked. Raises ``too-many-games``."""
    if user.is_bot and Seat.objects.filter(user=user, ended_at=None, retired=False).count() >= MOST_GAMES:
        raise GameError(GameCode.TOO_MANY_GAMES, most=MOST_GAMES)


def leave_open(game: Game, person: User, now: datetime) -> None:
    """Take a person whom the staff has suspended out of a locked game that has not started; their own is withdrawn."""
    if game.status != Status.OPEN:
        return
    if game.creator_id == person.pk:
        withdraw(game, RemarkKind.CANCELLED, CancelledBy.STAFF, now)
    elif Seat.objects.filter(game=game, user=person).delete()[0]:
        load_seats(game)
        save_change(game)


def withdraw(game: Game, kind: RemarkKind, why: CancelledBy, now: datetime) -> None:
    """Cancel a locked open game, with a remark of that kind."""
    game.status = Status.CANCELLED
    game.finished_at = now
    save_change(game, "status", "finished_at")
    add_remark(game, kind, now)
    enqueue(game, GameCancelled(why), now=now)
