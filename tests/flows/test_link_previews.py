"""What programs show of a link to a page: in the language that they ask for, and of what anybody may see."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import commands
from games.models import Game
from tests.flows.play import NOW, RULESET, make_user, mover_of, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    settings.SITE_URL = "https://gravity.example"


@pytest.fixture
def game() -> Game:
    game = start_game([make_user("Ada"), make_user("Bo")])
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=0, turn="R+", now=NOW)
    return Game.objects.get(pk=game.pk)


def metas(client: Client, address: str, language: str = "en") -> dict[str, str]:
    page = client.get(address, headers={"Accept-Language": language}).content.decode()
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    return {name: re.sub("[\u2066-\u2069]", "", unescape(value)) for name, value in found}


def test_a_running_game_says_who_plays_and_whose_turn_it_is(client: Client, game: Game) -> None:
    seen = metas(client, reverse("game", args=[game.key]))
    assert seen["og:title"] == "Game of Ada and Bo"
    assert seen["og:description"].endswith("Ada and Bo are in round 1, and it is Bo's turn.")
    assert seen["description"] == seen["og:description"]
    assert seen["og:url"] == f"https://gravity.example/games/{game.key}/"
    assert seen["og:image"] == f"https://gravity.example/games/{game.key}/board.png?at=1"
    assert (seen["og:image:width"], seen["og:image:height"]) == ("1200", "630")
    assert seen["twitter:card"] == "summary_large_image"


def test_the_image_is_there(client: Client, game: Game) -> None:
    image = metas(client, reverse("game", args=[game.key]))["og:image"].removeprefix("https://gravity.example")
    assert client.get(image).headers["Content-Type"] == "image/png"


def test_an_older_position_has_its_own_picture_and_address(client: Client, game: Game) -> None:
    seen = metas(client, reverse("game", args=[game.key]) + "?at=0")
    assert seen["og:url"].endswith("/?at=0")
    assert seen["og:image"].endswith("board.png?at=0")


def test_a_game_that_is_over_says_who_won(client: Client, game: Game) -> None:
    commands.resign(game_key=game.key, user=mover_of(game), seq=1, now=NOW)
    assert metas(client, reverse("game", args=[game.key]))["og:description"].endswith("Ada and Bo played, and Ada won.")


def test_a_player_gets_the_same_preview_as_a_guest(client: Client, game: Game) -> None:
    address = reverse("game", args=[game.key])
    guest = metas(client, address)
    client.force_login(mover_of(game))
    assert metas(client, address) == guest


def test_an_invitation_says_who_invites_and_how_many_seats_are_free(client: Client) -> None:
    game = commands.create_game(
        user=make_user("Cy"), ruleset=RULESET, size=3, options={}, public=False, bots=[], now=NOW
    )
    seen = metas(client, reverse("invitation", args=[game.key]))
    assert seen["og:title"] == "Game for 3 players"
    assert seen["og:description"].startswith("Cy invites you to play Gravity Superstar")
    assert seen["og:description"].endswith("2 seats are free.")
    assert seen["og:image"] == f"https://gravity.example/games/{game.key}/board.png"


def test_the_home_page_shows_its_board_or_else_the_icon(client: Client) -> None:
    seen = metas(client, "/")
    assert seen["og:url"] == "https://gravity.example/"
    assert seen["og:image"] == "https://gravity.example/static/icons/icon-512.png"
    assert seen["twitter:card"] == "summary"
    game = start_game([make_user("Ada"), make_user("Bo")])
    Game.objects.filter(pk=game.pk).update(round=2)
    assert metas(client, "/")["og:image"].endswith(f"/games/{game.key}/board.png?at=0")


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Bo ist am Zug"), ("fr", "À Bo de jouer"), ("nl", "Bo is aan zet")]
)
def test_the_words_are_in_the_language_that_is_asked_for(client: Client, game: Game, language: str, words: str) -> None:
    seen = metas(client, reverse("game", args=[game.key]), language)
    assert words in seen["og:description"]
    assert seen["og:locale"] == language


def test_no_other_page_has_a_preview(client: Client) -> None:
    assert "og:title" not in metas(client, "/rules/")


def test_what_htmx_swaps_in_has_none(client: Client, game: Game) -> None:
    page = client.get(reverse("game_board", args=[game.key]), headers={"HX-Request": "true"}).content.decode()
    assert "og:" not in page
