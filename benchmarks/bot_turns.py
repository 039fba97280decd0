"""The part of `benchmarks.bots` that runs the site: what a worker of two processes plays, and who waits meanwhile.

Two people play each other, too, through all of the site but the web server, before anybody else does and meanwhile.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.core.cache import cache  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from engine.rulesets import RULESETS  # noqa: E402
from games import commands  # noqa: E402
from games.log.positions import position_at  # noqa: E402
from games.models import Entry, Game  # noqa: E402
from games.models.choices import Actor, Status  # noqa: E402

RULESET = "gravity-1"
RULES = RULESETS[RULESET]
TABLES = 50
CROWD = 5
"""So many people sit at these tables: one of them may play in twenty games with computer players."""
BEFORE = 30
"""Turns of the two people before anybody else plays."""
SECONDS = 20.0
PAUSE = 0.2
"""Seconds between the turns of people: they play now and then."""
STARTS = 90.0
"""Seconds in which the worker must have started."""
NICE = "10"
"""As in docs/operations.md."""
WORKER = "--app gravitysite worker --queues bots --concurrency 2 --without-gossip --without-mingle --loglevel ERROR"


def main(bot: str) -> int:
    """Let tables of five computer players play for a while, a person against one more, and two people."""
    cache.clear()
    names = ("Ada", "Bo", *(f"Crowd {number}" for number in range(CROWD)))
    people = [User.objects.create_user(f"p{at}@example.org", display_name=name) for at, name in enumerate(names)]
    ada, bo, *crowd = people
    turns = turns_of_two(ada, bo)
    alone = [next(turns) for _ in range(BEFORE)][BEFORE // 3 :]  # the first ones warm up
    for seed in range(TABLES):
        create(crowd[seed % CROWD], [bot] * 5, seed)
    own = create(ada, [bot], TABLES)
    worker = subprocess.Popen(["nice", "-n", NICE, sys.executable, "-m", "celery", *WORKER.split()])
    try:
        wait_for(worker)
        before = turns_besides(own)
        waits, meanwhile = play(own, crowd, turns)
    finally:
        worker.terminate()
        worker.wait()
    played = turns_besides(own) - before
    print(f"{TABLES} tables of six, {bot}: {60 * played / SECONDS:,.0f} turns a minute through the queue")
    print(
        f"a person in another game waits for the answer {statistics.median(waits):.2f} s (median of {len(waits)}),"
        f" {max(waits):.2f} s at most"
    )
    quiet, busy = (1000 * statistics.median(times) for times in (alone, meanwhile))
    print(f"a turn between two people takes {busy:.0f} ms meanwhile, {busy / quiet:.2f} times as long as before")
    return 0 if played else 1


def turns_besides(own: Game) -> int:
    """Return how many turns computer players have played in other games."""
    return Entry.objects.filter(by=Actor.BOT).exclude(game=own).count()


def wait_for(worker: "subprocess.Popen[bytes]") -> None:
    """Wait until the worker plays."""
    give_up = time.monotonic() + STARTS
    while not Entry.objects.filter(by=Actor.BOT).exists():
        assert worker.poll() is None, "the worker has ended"
        assert time.monotonic() < give_up, "the worker does not play"
        time.sleep(0.1)


def create(user: User, bots: list[str], seed: int) -> Game:
    """Start a game of a person and computer players."""
    terms = {"ruleset": RULESET, "options": {}, "public": False, "now": timezone.now(), "rng": Random(seed)}
    return commands.create_game(user=user, size=len(bots) + 1, bots=bots, **terms)


def turns_of_two(ada: User, bo: User) -> Iterator[float]:
    """Play games of two people with requests as a browser's, and yield the seconds that each turn took."""
    clients = {person: Client(headers={"HX-Request": "true"}) for person in (ada, bo)}
    for person, client in clients.items():
        client.force_login(person)
    for seed in count():
        terms = {"ruleset": RULESET, "options": {}, "public": False, "size": 2, "bots": []}
        key = commands.create_game(user=ada, now=timezone.now(), **terms).key
        commands.join_game(game_key=key, user=bo, now=timezone.now(), rng=Random(seed))
        while (game := Game.objects.get(key=key)).status == Status.ACTIVE:
            user, turn = next_turn(game)
            address, began = reverse("game_turn", args=[key]), time.monotonic()
            answer = clients[user].post(address, {"seq": game.seq, "steps": turn}, secure=True)
            assert answer.status_code == 200, answer.status_code
            yield time.monotonic() - began


def play(own: Game, crowd: Sequence[User], turns: Iterator[float]) -> tuple[list[float], list[float]]:
    """Play the people's turns as they come.

    Return the seconds that each answer took in the person's own game, and each turn of two people.
    """
    waits: list[float] = []
    taken: list[float] = []
    asked, end = 0.0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        own.refresh_from_db()
        if own.status != Status.ACTIVE:
            break
        if not own.bot_to_move:
            if asked:
                waits.append(time.monotonic() - asked)
            asked = time.monotonic()
            play_for_person(own)
        for game in Game.objects.filter(creator__in=crowd, status=Status.ACTIVE, bot_to_move=False):
            play_for_person(game)
        taken.append(next(turns))
        time.sleep(PAUSE)
    return waits, taken


def next_turn(game: Game) -> tuple[User, str]:
    """Return the person who is to move, and what the autopilot would play for them."""
    user = game.seats.get(number=game.to_move).user
    return user, RULES.choose_turn(RULES.autopilot, position_at(game, game.seq).state, Random(game.seq))


def play_for_person(game: Game) -> None:
    """Play the autopilot's turn for the person who is to move."""
    user, turn = next_turn(game)
    commands.play_turn(game_key=game.key, user=user, seq=game.seq, turn=turn, now=timezone.now())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
