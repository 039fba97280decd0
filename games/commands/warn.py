"""Warning who must act that their time runs out."""

from datetime import datetime

from django.db import transaction

from games.commands._clocks import enqueue_warnings
from games.commands._lock import lock_game
from games.errors import GameError
from games.models import Game
from games.timing.deadlines import next_warning, warnings_of


@transaction.atomic(durable=True)
def warn(*, game_id: int, now: datetime) -> None:
    """Enqueue the warnings of the open turn that are due by ``now``, and store when the next one is due.

    Safe to repeat and to run twice at once. Changes nothing that a page shows, so the game's version stays. A game that
    someone else has locked is left to the next sweep.
    """
    try:
        game = lock_game(skip_locked=True, pk=game_id)
    except GameError:
        return
    enqueue_warnings(game, now)
    Game.objects.filter(pk=game.pk, warning_at__lte=now).update(warning_at=next_warning(warnings_of(game), now))
