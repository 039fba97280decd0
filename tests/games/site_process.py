"""One process of the site that runs one command and prints what came of it: ``python -m tests.games.site_process``."""

import os
import sys
from collections.abc import Callable
from datetime import timedelta
from random import Random, SystemRandom
from typing import Any, Final
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.db import connection  # noqa: E402 - after the set-up
from django.utils import timezone  # noqa: E402

from accounts.audit import Staff  # noqa: E402
from accounts.models import User  # noqa: E402
from games import commands  # noqa: E402
from games.errors import GameError  # noqa: E402
from games.models import Game, Proposal  # noqa: E402


def person(name: str) -> User:
    """Return the person of that name, who is created where there is none."""
    known = User.objects.filter(display_name=name).first()
    return known or User.objects.create_user(f"{name.lower()}@example.org", display_name=name)


def create(size: str, *bots: str, by: str = "Ada", token: UUID | None = None) -> Game:
    """Create a game of Ada, or of another person."""
    return commands.create_game(
        user=person(by),
        ruleset="gravity-1",
        size=int(size),
        options={},
        public=True,
        bots=bots,
        now=timezone.now(),
        token=token,
    )


def offer(by: str, number: str = "1") -> Game:
    """Create so many games of a person that wait for others, and return the last."""
    return [create("3", by=by) for _game in range(int(number))][-1]


def invite(key: str, by: str, *names: str) -> User:
    """Let a person invite others, one after the other, and return the last."""
    asked = [person(name).display_name for name in names]
    return [commands.invite(game_key=key, user=person(by), name=name, now=timezone.now()) for name in asked][-1]


def press(token: str, size: str) -> Game:
    """Create a game of Ada by pressing the button of one form."""
    return create(size, token=UUID(token))


def join(key: str, name: str, seed: str = "") -> Any:
    """Join a game, whose set-up is drawn from a seed if one is given."""
    rng = Random(int(seed)) if seed else SystemRandom()
    return commands.join_game(game_key=key, user=person(name), now=timezone.now(), rng=rng)


def play(key: str, name: str, seq: str, turn: str) -> Any:
    """Play a person's turn."""
    return commands.play_turn(game_key=key, user=person(name), seq=int(seq), turn=turn, now=timezone.now())


def plan(key: str, name: str, seq: str, turn: str) -> None:
    """Plan a person's turn."""
    commands.add_plan(game_key=key, user=person(name), seq=int(seq), turn=turn, now=timezone.now())


def look(key: str) -> Any:
    """Look at the plans of who is to move."""
    return commands.play_plan(game_id=Game.objects.get(key=key).pk, now=timezone.now())


def bot(key: str, seq: str) -> Any:
    """Play a computer player's turn."""
    game = Game.objects.get(key=key)
    return commands.play_bot_turn(game_id=game.pk, seq=int(seq), rng=SystemRandom(), now=timezone.now())


def leave(key: str, name: str) -> Any:
    """Give up a person's seat in an open game."""
    return commands.leave_game(game_key=key, user=person(name))


def cancel(key: str, name: str) -> Any:
    """Withdraw an open game."""
    return commands.cancel_game(game_key=key, user=person(name), now=timezone.now())


def resign(key: str, name: str, seq: str) -> Any:
    """Let a person leave a running game."""
    return commands.resign(game_key=key, user=person(name), seq=int(seq), now=timezone.now())


def rematch(key: str, name: str) -> Any:
    """Let a person ask for a rematch."""
    return commands.rematch(game_key=key, user=person(name), now=timezone.now())


def follow(key: str) -> Any:
    """Let the sweep begin the next game of a series."""
    return commands.continue_series(game_id=Game.objects.get(key=key).pk, now=timezone.now())


def propose(key: str, name: str) -> Any:
    """Let a person propose to cancel a running game."""
    return commands.propose_cancel(game_key=key, user=person(name), now=timezone.now())


def answer(key: str, name: str, agree: str) -> Any:
    """Let a person answer what is proposed."""
    proposal = Proposal.objects.get(game__key=key).pk
    return commands.answer_proposal(
        game_key=key, user=person(name), proposal_id=proposal, agree=agree == "yes", now=timezone.now()
    )


def expire(key: str, minutes: str) -> Any:
    """Let the sweep look at a game as if so many minutes had gone by."""
    game = Game.objects.get(key=key)
    return commands.expire_turn(
        game_id=game.pk, rng=SystemRandom(), now=timezone.now() + timedelta(minutes=int(minutes))
    )


def delete(_key: str, name: str) -> Any:
    """Delete a person's account."""
    return commands.delete_account(user=person(name), now=timezone.now())


def block(name: str, other: str) -> User:
    """Let a person block another one."""
    return commands.block(user=person(name), number=person(other).pk, now=timezone.now())


def suspend(name: str) -> None:
    """Let the staff suspend a person for a day."""
    now = timezone.now()
    until = now + timedelta(days=1)
    commands.suspend(user=person(name), until=until, words="Enough.", staff=Staff("Op", "a race"), now=now)


VERBS: Final[dict[str, Callable[..., Any]]] = {
    "create": create,
    "offer": offer,
    "invite": invite,
    "press": press,
    "join": join,
    "play": play,
    "plan": plan,
    "look": look,
    "bot": bot,
    "leave": leave,
    "cancel": cancel,
    "resign": resign,
    "rematch": rematch,
    "follow": follow,
    "propose": propose,
    "answer": answer,
    "expire": expire,
    "delete": delete,
    "block": block,
    "suspend": suspend,
}

if __name__ == "__main__":
    # A test holds locks for as long as it takes to start processes, which a busy machine does slowly.
    connection.cursor().execute("SET lock_timeout = 0")
    try:
        print(VERBS[sys.argv[1]](*sys.argv[2:]))  # noqa: T201 - what the test reads
    except GameError as error:
        print(error.code.value)  # noqa: T201
