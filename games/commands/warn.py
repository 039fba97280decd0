"""Warning who must act that their time runs out."""

from datetime import datetime

from django.db import transaction

from games.commands._lock import lock_game
from games.errors import GameError
from games.log.table import next_actor
from games.models import Game
from games.notices.facts import TimeRunsShort
from games.notices.outbox import enqueue
from games.timing.deadlines import next_warning, warnings_of


@transaction.atomic(durable=True)
def warn(*, game_id: int, now: datetime) -> None:
    """Enqueue the warnings of the open turn that have come by ``now``, and note when the next one does.

    Safe to repeat and to run twice at once. Changes nothing that a page shows, so the game's version stays. A game that
    someone else has locked is left to the next sweep.
    """
    try:
        game = lock_game(skip_locked=True, pk=game_id)
    except GameError:
        return
    noted = game.warning_at
    if noted is None or noted > now:
        return
    seat, warnings = next_actor(game), warnings_of(game)
    come = tuple(warning for warning in warnings if noted <= warning.at <= now)
    if come and seat is not None and seat.number is not None:
        enqueue(game, TimeRunsShort(seat.number, game.deadline, come), now=now)
    Game.objects.filter(pk=game.pk).update(warning_at=next_warning(warnings, now))
