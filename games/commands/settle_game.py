"""Writing down what follows from a game that has ended: ratings, and how many turns were played in time."""

from collections import Counter
from datetime import datetime

from django.db import transaction
from django.db.models import F

from games.commands._lock import lock_game, save_change
from games.commands._ratings import rate_game, try_counter, why_not_rated
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.models import Entry, Game, Punctuality
from games.models.choices import Actor, Reason, Status


@transaction.atomic(durable=True)
def settle_game(*, game_id: int, now: datetime) -> bool:
    """Settle a game that has ended, once; return whether that was done now: not where somebody else settles one.

    Games are settled one at a time, whoever does it: what is rated next has the next number, and follows from what was
    rated before.
    """
    counter = try_counter()
    if counter is None:
        return False
    try:
        game = lock_game(pk=game_id)
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            return False
        raise
    if game.settled or game.status != Status.FINISHED:
        return False
    _count_turns(game)
    game.settled = True
    if not game.rated:
        # Nothing that anybody sees of the game has changed.
        Game.objects.filter(pk=game.pk).update(settled=True)
        return True
    why = why_not_rated(game, now)
    if why is None:
        rate_game(game, counter)
    else:
        game.unrated = why
    save_change(game, "settled", "unrated", "rating_number")
    return True


def turns_of(game: Game) -> tuple[Counter[int], Counter[int]]:
    """Return how many turns each seat has played in time, and how many it has missed."""
    played, missed = Counter[int](), Counter[int]()
    for seat, by, reason in Entry.objects.filter(game=game).values_list("seat", "by", "reason"):
        played[seat] += by == Actor.PLAYER and not reason
        missed[seat] += by == Actor.AUTOPILOT or reason == Reason.TIMEOUT
    return played, missed


def _count_turns(game: Game) -> None:
    """Add the turns of a game between people to what is known of them; against computer players anyone may dawdle."""
    if any(seat.bot for seat in seats_of(game)):
        return
    people = [(seat.user_id, seat.number) for seat in seats_of(game) if seat.user_id and seat.number]
    played, missed = turns_of(game)
    Punctuality.objects.bulk_create([Punctuality(user_id=user) for user, _seat in people], ignore_conflicts=True)
    for user, seat in people:
        theirs = Punctuality.objects.filter(user=user)
        theirs.update(played=F("played") + played[seat], missed=F("missed") + missed[seat])
