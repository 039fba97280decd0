"""The page of a new game: it says what will be made, and the game may have a name, which is shown wherever it is."""

import html
import re
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import make_guest
from accounts.models import User
from games import commands
from games.delivery.content import compose_mail
from games.log.backup import write_game
from games.models import Game
from games.notices.models import Notice
from tests.flows.people import SignIn
from tests.flows.play import start_game

NAME: Final = "Friday night"
CHOICES: Final = {
    "size": "3",
    "against": "people",
    "visibility": "public",
    "time-preset": "relaxed",
}


def preview(own: Client, **choices: Any) -> str:
    answer = own.post(reverse("create_preview"), {**CHOICES, **choices})
    assert answer.status_code == HTTPStatus.OK
    return html.unescape(answer.content.decode()).removeprefix("<p>").removesuffix("</p>")


@pytest.fixture
def own(ada: User, as_user: SignIn) -> Client:
    return as_user(ada)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({}, "A game for 3: you and 2 other people; 3 days per turn; listed in the lobby; not rated."),
        (
            {"visibility": "link", "rated": "on", "rating_from": "1400", "rating_to": "1800", "punctual_from": "90"},
            (
                "A game for 3: you and 2 other people; 3 days per turn; by link only; rated; "
                "ratings from 1400 to 1800; at least 90% of turns in time."
            ),
        ),
        (
            {"against": "mix", "bot_1": "nova:1", "name": "  Club   final "},
            (
                "“Club final”, a game for 3: you, Pebble (level 1, beginner) and 1 other person; 3 days per turn; "
                "listed in the lobby."
            ),
        ),
        (
            {"against": "bots", "bot": "nova:8", "goodies": ["T"], "time-preset": "daily"},
            (
                "A game for 3: you, Nova (level 8, master) and Pulsar (level 8, master); 1 day per turn; Teleport; "
                "it starts at once."
            ),
        ),
        ({"size": ""}, "These choices don't fit together yet. Players: This field is required."),
        (
            {"name": "www.example.org"},
            "These choices don't fit together yet. Name of the game: A name can't look like an address on the web.",
        ),
    ],
)
def test_the_summary_says_what_the_choices_make(own: Client, choices: dict[str, Any], words: str) -> None:
    assert preview(own, **choices) == words
    assert not Game.objects.exists()


def test_the_page_says_what_it_makes_at_first_and_after_an_error(own: Client) -> None:
    page = own.get(reverse("create_game")).content.decode()
    assert "A game for 2: you and 1 other person; 3 days per turn; listed in the lobby; rated." in page
    answer = own.post(reverse("create_game"), {**CHOICES, "size": "9"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = html.unescape(answer.content.decode())
    assert "These choices don't fit together yet. Players: " in page
    (target,) = re.findall(r'autofocus>.*?<a href="#([^"]+)">Players</a> Select a valid choice', page, re.DOTALL)
    assert f'id="{target}"' in page


def test_what_was_said_of_the_choices_is_what_is_made(own: Client) -> None:
    said = preview(own, against="bots", bot="nova:8", name=NAME)
    assert "it starts at once" in said
    own.post(reverse("create_game"), {**CHOICES, "against": "bots", "bot": "nova:8", "name": f" {NAME} "})
    game = Game.objects.get()
    assert (game.name, game.status, game.size) == (NAME, "active", 3)


@pytest.mark.parametrize(
    "name",
    [
        "Friday: rematch",
        "Anna, Bo",
        "1/2 final",
        "Nova",
        "\u2764\ufe0f",
        "\U0001f469\u200d\U0001f467",
        "Кубок cup",
        "הגמר",
    ],
)
def test_a_game_may_have_a_name_that_a_person_may_not_have(own: Client, name: str) -> None:
    assert own.post(reverse("create_game"), {**CHOICES, "name": name}).status_code == HTTPStatus.FOUND
    assert Game.objects.get().name == name


@pytest.mark.parametrize(
    "name", ["x" * 41, "see www.example.org", "\u2800", "a\u200db", "a\u202eb", "a\ufe0fb\ufe0f", "l" + "\u0301" * 3]
)
def test_a_game_takes_no_name_that_can_not_be_seen_or_leads_away(own: Client, name: str) -> None:
    answer = own.post(reverse("create_game"), {**CHOICES, "name": name})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not Game.objects.exists()


def test_a_guest_account_gives_no_game_a_name(as_user: SignIn, db: None) -> None:
    own = as_user(make_guest(language="en", now=timezone.now()))
    assert 'name="name"' not in own.get(reverse("create_game")).content.decode()
    own.post(reverse("create_game"), {**CHOICES, "against": "bots", "bot": "nova:8", "name": NAME})
    assert Game.objects.get().name == ""


def test_the_name_of_an_open_game_is_in_every_list_and_on_its_invitation(
    ada: User, bo: User, as_user: SignIn, transactional_db: None
) -> None:
    terms: dict[str, Any] = {"ruleset": "gravity-1", "size": 3, "options": {}, "public": True, "bots": []}
    game = commands.create_game(user=ada, now=timezone.now(), name=NAME, **terms)
    commands.invite(game_key=game.key, user=ada, name=bo.display_name, now=timezone.now())
    address = reverse("invitation", args=[game.key])
    for page in (as_user(bo).get(reverse("lobby")), as_user(bo).get(reverse("my_games"))):
        assert f'<a href="{address}">{NAME}' in page.content.decode()
    seen = as_user(None).get(address).content.decode()
    assert f"<h1>{NAME}" in seen
    assert f"<title>{NAME}" in seen
    assert f'property="og:title" content="{NAME}"' in seen
    notice = Notice.objects.get(user=bo)
    mail = compose_mail(bo, [notice], message_id="x", now=timezone.now())
    assert mail.news.subject == f"[{NAME}] Ada invites you to a game"
    assert mail.news.sections[0].title == NAME


def test_the_name_of_a_running_game_is_on_its_pages_and_in_mails(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo], name="ליל שישי")
    game = Game.objects.get(pk=game.pk)
    own, shown = as_user(ada), "\u2068ליל שישי\u2069"
    for name in ("game", "messages", "game_time_control"):
        assert shown in own.get(reverse(name, args=[game.key])).content.decode()
    assert f"{shown}, round 1" in own.get(reverse("my_games")).content.decode()
    mover = ada if game.seats.get(number=1).user_id == ada.pk else bo
    notices = list(Notice.objects.filter(user=mover, game=game))
    subject = compose_mail(mover, notices, message_id="x", now=timezone.now() + timedelta(minutes=1)).news.subject
    assert subject.startswith(f"[{shown}] Your turn")


def test_a_game_without_a_name_is_called_after_its_players(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo])
    page = as_user(ada).get(reverse("game", args=[game.key])).content.decode()
    assert "Game of " in page
    assert "game-name" not in page


def test_a_backup_keeps_the_name_and_the_record_has_none(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([ada, bo], name=NAME)
    assert write_game(Game.objects.get(pk=game.pk))["game"]["name"] == NAME
    assert NAME not in as_user(None).get(reverse("game_record", args=[game.key])).content.decode()
