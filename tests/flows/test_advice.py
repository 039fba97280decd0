"""A good turn, shown on demand to who plays against computer players alone."""

import re
from html import unescape
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import commands, tasks
from games.models import Game
from tests.flows.people import SignIn
from tests.flows.play import NOW, RULES, make_user, play, random_turn, start_game, state_of
from tests.games.test_tasks import sent

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
ASK = "Show me a good turn"


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    cache.clear()
    sent()


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


@pytest.fixture
def game(ada: User) -> Game:
    """A game of a person, who is to move, and two computer players."""
    return start_game([ada], bots=["nova:1", "nova:2"])


def to_move(game: Game) -> Game:
    """Let computer players move until it is the person's turn."""
    game.refresh_from_db()
    while game.bot_to_move:
        commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=Random(1), now=NOW)
        game.refresh_from_db()
    return game


def page(client: Client, game: Game) -> str:
    return unescape(client.get(reverse("game", args=[game.key])).content.decode())


def ask(client: Client, game: Game, **more: Any) -> Any:
    return client.post(reverse("ask_advice", args=[game.key]), {"seq": game.seq}, **more)


def test_a_worker_thinks_of_the_turn_and_the_page_offers_to_play_its_steps(
    ada: User, game: Game, as_user: SignIn
) -> None:
    game, client = to_move(game), as_user(ada)
    assert ASK in page(client, game)
    sent()
    response = ask(client, game, headers=HTMX)
    assert "A good turn is being thought of" in response.content.decode()
    assert 'hx-trigger="load delay:700ms"' in response.content.decode()
    (asked,) = sent()
    assert asked == {"game_id": game.pk, "seq": game.seq}
    tasks.advise(**asked)
    shown = unescape(client.get(reverse("advice", args=[game.key]), headers=HTMX).content.decode())
    (turn,) = re.findall(r'form="compose" name="turn" value="([^"]+)"', shown)
    RULES.apply_turn(state_of(game), turn)
    assert "hx-trigger" not in shown
    assert re.search(r"<strong>A good turn</strong> \w+", shown)
    preview = client.post(reverse("game_preview", args=[game.key]), {"seq": game.seq, "steps": "", "turn": turn})
    assert f'name="steps" value="{turn}"' in unescape(preview.content.decode())
    assert Game.objects.get(pk=game.pk).seq == game.seq, "it is still to be confirmed"


def test_it_works_without_script(ada: User, game: Game, as_user: SignIn) -> None:
    game, client = to_move(game), as_user(ada)
    assert ask(client, game)["Location"] == reverse("game", args=[game.key])
    assert "A good turn is being thought of" in page(client, game)
    tasks.advise(game_id=game.pk, seq=game.seq)
    assert "<strong>A good turn</strong>" in page(client, game)


def test_asking_twice_makes_one_worker_think_once(ada: User, game: Game, as_user: SignIn) -> None:
    game, client = to_move(game), as_user(ada)
    sent()
    for _press in range(2):
        ask(client, game, headers=HTMX)
    assert len(sent()) == 1
    tasks.advise(game_id=game.pk, seq=game.seq)
    ask(client, game, headers=HTMX)
    assert sent() == []


def test_a_guest_account_is_shown_one_in_the_game_it_plays_at_once(client: Client) -> None:
    client.post(reverse("play_now"))
    game = to_move(Game.objects.get())
    assert ASK in page(client, game)
    ask(client, game)
    tasks.advise(game_id=game.pk, seq=game.seq)
    assert "<strong>A good turn</strong>" in page(client, game)


@pytest.mark.parametrize("rated", [True, False])
def test_among_people_nobody_is_shown_one(ada: User, as_user: SignIn, rated: bool) -> None:
    game, client = start_game([ada, make_user("Bo")], rated=rated), as_user(ada)
    assert ASK not in page(client, game)
    refused = ask(client, game)
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "all others are computer players" in refused.content.decode()
    mixed = start_game([ada, make_user("Cy")], bots=["nova:1"])
    assert ASK not in page(client, to_move(mixed))
    assert [message for message in sent() if len(message) == 2 and message["game_id"] == game.pk] == []


def test_it_is_nobodys_but_the_seats_to_move(ada: User, game: Game, as_user: SignIn, client: Client) -> None:
    game = to_move(game)
    ask(as_user(ada), game)
    tasks.advise(game_id=game.pk, seq=game.seq)
    for reader in (client, as_user(make_user("Eve"))):
        assert "A good turn" not in page(reader, game)
        assert "value=" not in reader.get(reverse("advice", args=[game.key]), headers=HTMX).content.decode()
    assert ask(as_user(make_user("Fay")), game).status_code == HTTPStatus.FORBIDDEN


def test_a_game_that_has_gone_on_is_not_thought_about(ada: User, game: Game, as_user: SignIn) -> None:
    game, client = to_move(game), as_user(ada)
    old = game.seq
    play(game, random_turn(state_of(game), Random(1)))
    tasks.advise(game_id=game.pk, seq=old)
    assert client.post(reverse("ask_advice", args=[game.key]), {"seq": old}).status_code == HTTPStatus.CONFLICT
    game = to_move(game)
    assert ASK in page(client, game)
