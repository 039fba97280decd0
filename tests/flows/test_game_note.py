"""A player's own note on a game: kept, for nobody else, and gone with the account."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import NOTE_LENGTH, Game, Note
from games.queries.archive import archive_files
from tests.flows.play import start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
SECRET = "Bo holds <Drop> & waits"


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def write(user: User, game: Game, text: str, **headers: str) -> int:
    return browser(user).post(reverse("game_note", args=[game.key]), {"text": text}, headers=headers).status_code


def test_a_note_is_kept_changed_and_taken_away(ada: User, game: Game) -> None:
    assert write(ada, game, SECRET) == 302
    page = browser(ada).get(reverse("game_note", args=[game.key])).content.decode()
    assert "Bo holds &lt;Drop&gt; &amp; waits</textarea>" in page
    assert write(ada, game, "Another\n\n\nplan\u202e") == 302
    assert Note.objects.get().text == "Another\n\nplan"
    assert write(ada, game, "  \u200c ") == 302
    assert not Note.objects.exists()


def test_nobody_else_reads_it_anywhere(ada: User, bo: User, game: Game) -> None:
    write(ada, game, "zebra plan")
    for address in ("game", "game_note", "game_record", "messages", "game_time_control"):
        assert "zebra" not in browser(bo).get(reverse(address, args=[game.key])).content.decode()
    assert not [name for name, text in archive_files(bo, timezone.now()) if "zebra" in text]
    assert [name for name, text in archive_files(ada, timezone.now()) if "zebra" in text] == ["notes.json"]


def test_htmx_gets_the_form_alone_and_reads_that_it_was_saved(ada: User, game: Game) -> None:
    address, headers = reverse("game_note", args=[game.key]), {"HX-Request": "true"}
    part = browser(ada).post(address, {"text": "A plan"}, headers=headers).content.decode()
    assert "Your note was saved." in part
    assert "<html" not in part
    assert "A plan</textarea>" in browser(ada).get(address, headers=headers).content.decode()


def test_one_that_is_too_long_stays_in_the_form(ada: User, game: Game) -> None:
    answer = browser(ada).post(reverse("game_note", args=[game.key]), {"text": "long " * NOTE_LENGTH})
    assert answer.status_code == 422
    assert "long long" in answer.content.decode()
    assert not Note.objects.exists()


def test_it_goes_with_the_account_and_holds_up_no_deletion(ada: User, game: Game) -> None:
    write(ada, game, "A plan")
    commands.delete_account(user=ada, now=timezone.now())
    assert not Note.objects.exists()
