"""Starting a game against a computer player at once."""

from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from engine.rulesets import RULESETS
from games.clock import PRESETS, TimeControl
from games.commands._allowed import refuse_suspended
from games.commands._lock import lock_person
from games.commands._start import CHANCE, start_if_full
from games.commands.create_game import offer_game
from games.models import Entry, Game, Seat
from games.models.choices import Actor, Status

TIME_CONTROL: Final[TimeControl] = PRESETS["daily"]
"""Nobody waits for the person: they may close the page and find the game as it was. Left alone it ends within days."""


@transaction.atomic(durable=True)
def play_now(*, user: User, ruleset: str, now: datetime, rng: Random = CHANCE) -> Game:
    """Start a plain game of two between ``user`` and a friendly computer player, which no list shows.

    Where they have such a game and have not played a turn in it yet, that one is returned. Raises what `create_game`
    does.
    """
    person = lock_person(user.pk)
    untouched = _untouched(user, ruleset)
    if untouched is not None:
        return untouched
    refuse_suspended(person, now)
    rules = RULESETS[ruleset]
    game = offer_game(
        user,
        [rules.first_bot],
        now,
        ruleset=ruleset,
        size=2,
        options=rules.check_options({}, 2),
        public=False,
        time_control=TIME_CONTROL.to_json(),
    )
    start_if_full(game, now=now, rng=rng)
    return game


def _untouched(user: User, ruleset: str) -> Game | None:
    """Return the person's newest running game of that kind in which they have not played a turn, or None."""
    with_bot = Seat.objects.filter(game=OuterRef("pk")).exclude(bot="")
    played = Entry.objects.filter(game=OuterRef("pk"), by=Actor.PLAYER)
    theirs = Game.objects.filter(creator=user, status=Status.ACTIVE, seats__user=user, seats__retired=False)
    plain = theirs.filter(ruleset=ruleset, size=2, public=False, time_control=TIME_CONTROL.to_json())
    return plain.filter(Exists(with_bot), ~Exists(played)).order_by("-pk").first()
