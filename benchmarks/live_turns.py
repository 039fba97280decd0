"""The part of `benchmarks.live` that plays: a process that makes people and games, and plays turns as the site does.

It prints who is to listen to what as a line of JSON, waits for a line, plays so many turns a second, each through the
command of the site, and prints of each which version of which game was committed when, by the clock of all processes.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from engine.contract import END, JsonObject  # noqa: E402
from engine.rulesets import RULESETS  # noqa: E402
from games import commands  # noqa: E402
from games.models import Game  # noqa: E402

RULESET = "gravity-1"
RULES = RULESETS[RULESET]


def main(name: str, games: int, idle: int, rate: float, seconds: float) -> None:
    """Play ``rate`` turns a second in games of two people, while these and so many ``idle`` people listen."""
    turns = int(rate * seconds)
    running = [begin(f"{name}{number}", Random(number), turns // games + 1) for number in range(games)]
    listens = [(user, f"/live/games/{game.key}/", game.key) for game in running for user in game.people]
    listens += [(user, "/live/me/", "") for user in make_people(*(f"{name}-idle{number}" for number in range(idle)))]
    sessions = sign_in([user for user, _path, _key in listens])
    told = [(session, path, key) for session, (_user, path, key) in zip(sessions, listens, strict=True)]
    print(json.dumps(told), flush=True)
    sys.stdin.readline()
    print(json.dumps(play(running, rate, turns)), flush=True)


@dataclass
class Running:
    """A game of two people, and the turns that will be played, known beforehand."""

    key: str
    people: Sequence[User]
    turns: Iterator[tuple[int, User, str]]
    """Each with the number of the entry before it, and who plays it."""


def begin(name: str, rng: Random, turns: int) -> Running:
    """Begin a game of two new people."""
    ada, bo = make_people(f"{name}-ada", f"{name}-bo")
    now, terms = timezone.now(), {"ruleset": RULESET, "size": 2, "options": {}, "public": False, "bots": []}
    key = commands.create_game(user=ada, now=now, **terms).key
    commands.join_game(game_key=key, user=bo, now=now, rng=rng)
    game = Game.objects.get(key=key)
    people = [seat.user for seat in game.seats.select_related("user").order_by("number") if seat.user is not None]
    return Running(key, people, iter(list(some_turns(game.setup, people, turns, rng))))


def some_turns(setup: JsonObject, people: Sequence[User], number: int, rng: Random) -> Iterator[tuple[int, User, str]]:
    """Yield turns by chance."""
    state = RULES.read_setup(setup)
    for seq in range(number):
        seat = RULES.summary(state).seat
        if seat is None:
            return
        steps: list[str] = []
        while END not in (legal := RULES.legal_steps(state, steps)):
            steps.append(rng.choice(legal))
        turn = " ".join(steps)
        yield seq, people[seat - 1], turn
        state = RULES.apply_turn(state, turn).state


def make_people(*names: str) -> list[User]:
    """Return new people."""
    people = [User(email=f"{name}@bench.example", display_name=name) for name in names]
    for person in people:
        person.set_unusable_password()
    return User.objects.bulk_create(people)


def sign_in(people: Sequence[User]) -> list[str]:
    """Return the key of a new session of each."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    backend = settings.AUTHENTICATION_BACKENDS[0]
    rows = [
        store().create_model_instance(
            {SESSION_KEY: str(one.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: one.get_session_auth_hash()}
        )
        for one in people
    ]
    return [row.session_key for row in Session.objects.bulk_create(rows)]


def play(running: Sequence[Running], rate: float, turns: int) -> list[tuple[str, int, float]]:
    """Play turns in one game after the other, at the rate where the machine can; return what was committed when."""
    clock, told = Commits(), []
    due = time.monotonic()
    for game in (one for one, _turn in zip(cycle(running), range(turns), strict=False)):
        found = next(game.turns, None)
        if found is None:  # that game is over
            continue
        seq, user, turn = found
        due += 1 / rate
        time.sleep(max(0.0, due - time.monotonic()))
        commands.play_turn(game_key=game.key, user=user, seq=seq, turn=turn, now=timezone.now())
        told.append((game.key, Game.objects.values_list("version", flat=True).get(key=game.key), clock.last))
    return told


class Commits:
    """Knows when the last transaction was committed: before anybody is told of what it changed."""

    def __init__(self) -> None:
        self.last = 0.0
        self._commit = connection.commit
        connection.commit = self.commit  # type: ignore[method-assign] # nothing else is asked between commit and hooks

    def commit(self) -> None:
        """Commit, and note when that was."""
        self._commit()
        self.last = time.monotonic()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5]))
