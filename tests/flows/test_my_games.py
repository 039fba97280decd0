"""The cards of my games: the most urgent first, when time runs out, what was done last, and no hidden card."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import Game
from tests.flows.people import SignIn
from tests.flows.play import NOW, mover_of, play, start_game

pytestmark = pytest.mark.django_db


def my_games(client: Client) -> str:
    return " ".join(client.get(reverse("my_games")).content.decode().split())


def keys_in(page: str, *games: Game) -> list[str]:
    return sorted((game.key for game in games), key=page.index)


def test_the_soonest_deadline_comes_first_and_then_the_latest_move(ada: User, bo: User, as_user: SignIn) -> None:
    mine: list[Game] = []
    waiting: list[Game] = []
    for seed in range(6):
        game = start_game([ada, bo] if seed % 2 else [bo, ada], seed=seed)
        (mine if mover_of(game) == ada else waiting).append(game)
    for hours, game in enumerate(mine):
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=20 - hours))
    for hours, game in enumerate(waiting):
        moved = timezone.now() - timedelta(hours=20 - hours)
        Game.objects.filter(pk=game.pk).update(turn_began_at=moved, deadline=moved + timedelta(days=2 + hours))
    page = my_games(as_user(ada))
    assert len(mine) > 1 < len(waiting)
    assert keys_in(page, *mine, *waiting) == [game.key for game in (*reversed(mine), *reversed(waiting))]


def test_the_last_move_is_told_without_the_card_that_lies_face_down(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo], seed=3)
    first = mover_of(game)
    assert "Simple move" not in my_games(as_user(ada))
    step = next(step for step in ("S<(L)", "S>(L)", "R+") if play_or_not(game, step))
    words = {"S<(L)": "Simple move to the left", "S>(L)": "Simple move to the right"}.get(step, "Rotate a quarter turn")
    for person in (ada, bo):
        page = my_games(as_user(person))
        told = re.search(rf">{first.display_name}, [^<:]*: ([^<]*)</time></p>", page)
        assert told is not None
        assert told[1].startswith(words)
        assert "Long jump" not in told[1]


def play_or_not(game: Game, step: str) -> bool:
    try:
        play(game, step)
    except Exception:  # noqa: BLE001 - any refusal
        return False
    return True


def test_a_player_who_left_is_told_as_such(ada: User, bo: User, cleo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo, cleo], seed=3)
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    assert re.search(r">Ada, [^<:]*: left the game</time></p>", my_games(as_user(bo)))


def test_the_time_ahead_has_the_exact_instant_on_it(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo])
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=2, minutes=5))
    page = my_games(as_user(ada))
    assert re.search(r'<time datetime="[^"]+" title="\w+ \d+ \w+ \d{4}[^"]*">Time runs out in 2 days', page)
