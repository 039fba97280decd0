"""A first look for a developer: two players and a running game between them, on an empty database."""

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Final

from accounts.models import User
from engine.rulesets import RULESETS, newest_rulesets
from games import commands
from games.log.positions import position_at
from games.models import Game

PASSWORD: Final = "gravity-demo"  # noqa: S105 - printed for everyone who runs the site on a development machine
PLAYERS: Final = (("ada@demo.example", "Ada"), ("bo@demo.example", "Bo"))
TURNS: Final = 5
"""Turns that are played before anyone looks, so that there is something to see."""


def demo_players() -> Sequence[User]:
    """Return the demo players that there are, in the order of their names."""
    emails = [email for email, _name in PLAYERS]
    return list(User.objects.filter(email__in=emails).order_by("display_name"))


def make_demo(*, now: datetime, rng: Random) -> Game | None:
    """Make the demo players and their game if there is nobody else and no game yet; return the game, or None."""
    if Game.objects.exists() or User.objects.exclude(pk__in=[player.pk for player in demo_players()]).exists():
        return None
    known = {player.email for player in demo_players()}
    for email, name in PLAYERS:
        if email not in known:
            User.objects.create_user(email, PASSWORD, display_name=name)
    first, second = demo_players()
    ruleset = next(iter(newest_rulesets().values()))
    rules = RULESETS[ruleset]
    game = commands.create_game(user=first, ruleset=ruleset, size=2, options={}, public=True, bots=[], now=now, rng=rng)
    game = commands.join_game(game_key=game.key, user=second, now=now, rng=rng)
    for seq in range(TURNS):
        turn = rules.choose_turn(rules.autopilot, position_at(game, seq).state, rng)
        mover = game.seats.get(number=game.to_move).user
        assert mover is not None
        commands.play_turn(game_key=game.key, user=mover, seq=seq, turn=turn, now=now)
        game.refresh_from_db()
    return game
