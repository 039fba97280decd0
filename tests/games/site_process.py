"""One process of the site that runs one command and prints what came of it: ``python -m tests.games.site_process``."""

import os
import sys
from collections.abc import Callable
from random import SystemRandom
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.utils import timezone  # noqa: E402 - after the set-up

from accounts.models import User  # noqa: E402
from games import commands  # noqa: E402
from games.errors import GameError  # noqa: E402
from games.models import Game  # noqa: E402


def person(name: str) -> User:
    """Return the person of that name, who is created where there is none."""
    known = User.objects.filter(display_name=name).first()
    return known or User.objects.create_user(f"{name.lower()}@example.org", display_name=name)


def create(size: str, *bots: str) -> Game:
    """Create a game of Ada."""
    return commands.create_game(
        user=person("Ada"),
        ruleset="gravity-1",
        size=int(size),
        options={},
        public=True,
        bots=bots,
        now=timezone.now(),
    )


def join(key: str, name: str) -> Any:
    """Join a game."""
    return commands.join_game(game_key=key, user=person(name), now=timezone.now())


def play(key: str, name: str, seq: str, turn: str) -> Any:
    """Play a person's turn."""
    return commands.play_turn(game_key=key, user=person(name), seq=int(seq), turn=turn, now=timezone.now())


def bot(key: str, seq: str) -> Any:
    """Play a computer player's turn."""
    game = Game.objects.get(key=key)
    return commands.play_bot_turn(game_id=game.pk, seq=int(seq), rng=SystemRandom(), now=timezone.now())


VERBS: Final[dict[str, Callable[..., Any]]] = {"create": create, "join": join, "play": play, "bot": bot}

if __name__ == "__main__":
    try:
        print(VERBS[sys.argv[1]](*sys.argv[2:]))  # noqa: T201 - what the test reads
    except GameError as error:
        print(error.code.value)  # noqa: T201
