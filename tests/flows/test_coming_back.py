"""Pages that stay open while something else happens: another sign-in, a sign-out, a new name, a move elsewhere."""

import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.models import User
from engine.contract import END
from games import commands
from games.models import Game
from tests.flows.play import RULES, RULESET, make_user, play, random_turn, start_game, state_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
HERE = {"Origin": "http://testserver"}


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo], seed=3)


def first_step(game: Game) -> str:
    """Return a step after which the turn may end."""
    state = state_of(game)
    return next(step for step in RULES.legal_steps(state) if END in RULES.legal_steps(state, [step]))


def page(client: Client, game: Game, **query: int) -> str:
    return client.get(f"/games/{game.key}/", query).content.decode()


# --- A session lasts for as long as its person comes back ---------------------------------------------------------


@pytest.mark.parametrize(("hours", "written"), [(0, False), (2, True), (59 * 24, True)])
def test_a_session_is_prolonged_by_any_request_once_an_hour(ada: User, hours: int, written: bool) -> None:
    client = Client()
    client.force_login(ada)
    left = timedelta(seconds=settings.SESSION_COOKIE_AGE) - timedelta(hours=hours)
    Session.objects.update(expire_date=timezone.now() + left)
    for wanted in (written, False):
        answer = client.get("/lobby/")
        assert (settings.SESSION_COOKIE_NAME in answer.cookies) is wanted
    full = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    assert Session.objects.get().expire_date > full - timedelta(minutes=1)


# --- Another sign-in in another tab --------------------------------------------------------------------------------


@pytest.fixture
def strict(ada: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    return client


def token_in(html: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
    assert found
    return found[1]


def sign_in_again(client: Client) -> None:
    """Do in another tab what gives the browser a new token."""
    client.cookies["csrftoken"] = "a" * 32


def test_a_form_with_the_token_of_before_can_be_sent_again(strict: Client, game: Game) -> None:
    fields = {"seq": 0, "steps": "R+ &", "csrfmiddlewaretoken": token_in(page(strict, game))}
    sign_in_again(strict)
    refused = strict.post(f"/games/{game.key}/turn", fields, headers=HERE)
    html = refused.content.decode()
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "now as Ada" in html
    assert 'name="steps" value="R+ &amp;"' in html
    again = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html.partition("Send it again")[0]))
    assert again["seq"] == "0"
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[-1]
    sent = strict.post(f"/games/{game.key}/preview", {**again, "csrfmiddlewaretoken": token}, headers=HERE)
    assert sent.status_code != HTTPStatus.FORBIDDEN


def test_an_open_page_gets_the_new_token_with_the_refusal(strict: Client, game: Game) -> None:
    fields = {"seq": 0, "steps": "", "csrfmiddlewaretoken": token_in(page(strict, game))}
    sign_in_again(strict)
    refused = strict.post(f"/games/{game.key}/preview", fields, headers=HERE | HTMX)
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "now as Ada" in refused.content.decode()
    assert "<html" not in refused.content.decode()
    fields["csrfmiddlewaretoken"] = refused["X-CSRFToken"]
    assert strict.post(f"/games/{game.key}/preview", fields, headers=HERE | HTMX).status_code == HTTPStatus.OK


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_a_form_from_elsewhere_is_offered_nothing(strict: Client, game: Game, origin: dict[str, str]) -> None:
    page(strict, game)
    for more in ({}, HTMX):
        refused = strict.post(f"/games/{game.key}/resign", {"seq": 0, "secret": "x"}, headers=origin | more)
        assert refused.status_code == HTTPStatus.FORBIDDEN
        assert "X-CSRFToken" not in refused
        assert "Send it again" not in refused.content.decode()


# --- Signed out while a turn is composed ---------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("verb", ["preview", "turn"])
def test_a_turn_outlasts_a_session(game: Game, ada: User, verb: str, headers: dict[str, str]) -> None:
    client = Client()
    steps = first_step(game)
    client.post(f"/games/{game.key}/{verb}", {"seq": 0, "steps": steps}, headers=headers)
    cookie = client.cookies["turn"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (f"/games/{game.key}/", True, "Lax")
    assert game.seq == Game.objects.get().seq
    client.force_login(ada)
    back = page(client, game)
    assert "Your turn is as you left it." in back
    assert f'name="steps" value="{escape(steps)}"' in back
    assert client.cookies["turn"].value == ""
    assert "as you left it" not in page(client, game)


def test_a_turn_that_fits_no_more_is_let_go(game: Game, ada: User, bo: User) -> None:
    client = Client()
    client.post(f"/games/{game.key}/turn", {"seq": 0, "steps": first_step(game)})
    rng = Random(3)
    for _turn in range(2):
        play(game, random_turn(state_of(game), rng))
    for person in (ada, bo):
        client.force_login(person)
        assert "as you left it" not in page(client, game)


@pytest.mark.parametrize("value", ["", "x", "eyJzZXEiOjB9:forged"])
def test_a_forged_cookie_is_nothing(game: Game, ada: User, value: str) -> None:
    client = Client()
    client.force_login(ada)
    client.cookies["turn"] = value
    assert client.get(f"/games/{game.key}/").status_code == HTTPStatus.OK


# --- What an open page shows --------------------------------------------------------------------------------------


def test_the_newest_entry_is_no_past_position(game: Game, ada: User) -> None:
    client = Client()
    client.force_login(ada)
    rng = Random(3)
    for _turn in range(2):
        play(game, random_turn(state_of(game), rng))
    assert "past position" in page(client, game, at=1)
    assert "past position" not in page(client, game, at=2)


def test_a_new_name_is_the_name_everywhere_but_in_the_record(game: Game, ada: User, client: Client) -> None:
    play(game, random_turn(state_of(game), Random(3)))
    ada.display_name = "Adele"
    ada.save()
    client.force_login(ada)
    seen = page(client, game)
    assert "Adele" in seen
    assert not re.search(r"\bAda\b", seen)
    assert "Ada" in client.get(f"/games/{game.key}/record").json()["players"]


def test_a_move_brings_the_count_of_waiting_games_up_to_date(ada: User, bo: User) -> None:
    games = [start_game([ada, bo], seed=seed) for seed in range(3)]
    client = Client()
    client.force_login(ada)
    assert '<span class="count" aria-hidden="true">3</span>' in page(client, games[0])
    turn = random_turn(state_of(games[0]), Random(1))
    answer = client.post(f"/games/{games[0].key}/turn", {"seq": 0, "steps": turn}, headers=HTMX).content.decode()
    news = re.search(r'<hx-partial hx-target="#waiting".*?</hx-partial>', answer, re.DOTALL)
    assert news
    assert '<span class="count" aria-hidden="true">2</span>' in news[0]


def test_a_page_that_waits_for_players_follows_the_game(ada: User, bo: User, as_user: Callable[[User], Client]) -> None:
    terms: dict[str, Any] = {"size": 3, "options": {}, "public": True, "bots": ()}
    game = commands.create_game(user=ada, ruleset=RULESET, now=timezone.now(), **terms)
    client, address = as_user(ada), f"/games/{game.key}/invitation/"
    tag = client.get(address)["HX-PTag"]
    still = client.get(address, headers=HTMX | {"HX-PTag": tag})
    assert still.status_code == HTTPStatus.NOT_MODIFIED
    commands.join_game(game_key=game.key, user=bo, now=timezone.now())
    news = client.get(address, headers=HTMX | {"HX-PTag": tag})
    assert "Bo" in news.content.decode()
    assert "<html" not in news.content.decode()
    commands.join_game(game_key=game.key, user=make_user("Cleo"), now=timezone.now())
    started = client.get(address, headers=HTMX | {"HX-PTag": news["HX-PTag"]})
    assert started["HX-Redirect"] == f"/games/{game.key}/"
