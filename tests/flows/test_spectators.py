"""The spectators' room: who reads and writes there, that players are kept out, and what becomes of what was written."""

import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import User
from games import commands
from games.commands.write_message import MOST_MESSAGES
from games.commands.write_to_spectators import MOST_AS_SPECTATOR
from games.errors import GameCode, GameError
from games.models import Game, Report, Spectator, SpectatorMessage
from games.queries.spectators import ROOM_SIZE
from tests.flows.people import SignIn
from tests.flows.play import make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


def room_of(game: Game, browser: Client, **terms: Any) -> Any:
    return browser.get(f"/games/{game.key}/spectators/", **terms)


def write(game: Game, browser: Client, text: str) -> Any:
    return browser.post(f"/games/{game.key}/spectators", {"text": text})


def say(game: Game, user: User, text: str, *, seconds: int = 0) -> None:
    now = timezone.now() + timedelta(seconds=seconds)
    commands.write_to_spectators(game_key=game.key, user=user, text=text, now=now)


def refused(call: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as error:
        call()
    return error.value.code


def end(game: Game, loser: User) -> None:
    commands.resign(game_key=game.key, user=loser, seq=0, now=timezone.now())


def test_a_spectator_reads_what_another_one_wrote(game: Game, cy: User, as_user: SignIn) -> None:
    response = write(game, as_user(make_user("Dee")), "What a start <b>!")
    assert (response.status_code, response["Location"]) == (HTTPStatus.SEE_OTHER, f"/games/{game.key}/spectators/#talk")
    page = room_of(game, as_user(cy)).content.decode()
    assert "What a start &lt;b&gt;!" in page
    assert ">Dee</a>" in page


def test_players_and_who_has_no_account_read_it_only_once_the_game_is_over(
    game: Game, ada: User, cy: User, as_user: SignIn
) -> None:
    say(game, cy, "Ada should take the door")
    for browser in (as_user(ada), Client(), as_user(guests.make_guest(language="en", now=timezone.now()))):
        response = room_of(game, browser)
        assert response.status_code in {HTTPStatus.FORBIDDEN, HTTPStatus.FOUND}
        assert "door" not in response.content.decode()
        assert "the door" not in browser.get(f"/games/{game.key}/").content.decode()
    end(game, ada)
    for browser in (as_user(ada), Client()):
        assert "Ada should take the door" in room_of(game, browser).content.decode()
        assert "<textarea" not in room_of(game, browser).content.decode()


def test_a_player_who_has_left_the_running_game_does_not_read_it_either(
    ada: User, bo: User, cleo: User, cy: User, as_user: SignIn
) -> None:
    game = start_game([ada, bo, cleo])
    commands.resign(game_key=game.key, user=ada, seq=0, now=timezone.now())
    assert room_of(game, as_user(ada)).status_code == HTTPStatus.FORBIDDEN
    assert refused(lambda: say(game, ada, "Hi")) is GameCode.PLAYER_WATCHES


def test_spectators_never_read_what_players_write(game: Game, ada: User, cy: User, as_user: SignIn) -> None:
    commands.write_message(game_key=game.key, user=ada, text="Between us", now=timezone.now())
    for _over in (False, True):
        for verb in ("", "spectators/", "messages/"):
            assert "Between us" not in as_user(cy).get(f"/games/{game.key}/{verb}").content.decode()
        if not _over:
            end(game, ada)


def test_the_page_of_a_game_leads_there_with_a_count_but_no_player_of_it(
    game: Game, ada: User, cy: User, as_user: SignIn
) -> None:
    say(game, cy, "One")
    say(game, cy, "Two")
    link = f'href="/games/{game.key}/spectators/">Spectators’ messages'
    assert f'{link} <span class="count">2</span>' in as_user(cy).get(f"/games/{game.key}/").content.decode()
    assert link not in as_user(ada).get(f"/games/{game.key}/").content.decode()
    end(game, ada)
    assert link in as_user(ada).get(f"/games/{game.key}/").content.decode()


def test_a_game_for_its_players_has_no_room(game: Game, ada: User, cy: User, as_user: SignIn) -> None:
    Game.objects.update(players_only=True)
    assert refused(lambda: say(game, cy, "Hi")) is GameCode.NO_SUCH_GAME
    end(game, ada)
    assert room_of(game, as_user(ada)).status_code == HTTPStatus.NOT_FOUND
    assert "spectators" not in as_user(ada).get(f"/games/{game.key}/").content.decode()


def test_what_is_written_there_changes_nothing_for_players_who_poll(game: Game, ada: User, cy: User) -> None:
    before = Game.objects.get(pk=game.pk).version
    say(game, cy, "Hi")
    assert Game.objects.get(pk=game.pk).version == before


def test_the_same_request_twice_is_one_message_and_an_empty_one_is_none(game: Game, cy: User, as_user: SignIn) -> None:
    for _time in range(2):
        write(game, as_user(cy), "Hi")
    assert write(game, as_user(cy), " \n").status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert SpectatorMessage.objects.count() == 1
    assert Spectator.objects.count() == 1


def test_a_day_has_room_for_so_many_messages_in_a_game_and_in_all(cy: User, ada: User, bo: User) -> None:
    games = [start_game([ada, bo]) for _game in range(4)]
    now = timezone.now()
    for game in games[:3]:
        spectator = Spectator.objects.create(game=game, user=cy)
        SpectatorMessage.objects.bulk_create(
            SpectatorMessage(game=game, number=n, spectator=spectator, text="x", at=now)
            for n in range(1, MOST_MESSAGES + 1)
        )
    assert refused(lambda: say(games[0], cy, "y")) is GameCode.TOO_MANY_MESSAGES
    assert 3 * MOST_MESSAGES == MOST_AS_SPECTATOR
    assert refused(lambda: say(games[3], cy, "y")) is GameCode.TOO_MANY_AS_SPECTATOR
    say(games[3], cy, "y", seconds=24 * 60 * 60 + 1)


def test_whom_the_staff_has_silenced_writes_nothing_there(game: Game, cy: User, as_user: SignIn) -> None:
    User.objects.filter(pk=cy.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    assert write(game, as_user(cy), "Hi").status_code == HTTPStatus.FORBIDDEN
    assert not SpectatorMessage.objects.exists()


def test_who_blocks_somebody_does_not_read_them(game: Game, cy: User, as_user: SignIn) -> None:
    dee, eve = make_user("Dee"), make_user("Eve")
    say(game, dee, "An insult")
    commands.block(user=cy, number=dee.pk, now=timezone.now())
    assert "An insult" not in room_of(game, as_user(cy)).content.decode()
    assert "An insult" in room_of(game, as_user(eve)).content.decode()


def test_who_mutes_the_room_sees_none_of_it_until_they_show_it_again(game: Game, cy: User, as_user: SignIn) -> None:
    say(game, make_user("Dee"), "Chatter")
    browser = as_user(cy)
    browser.post(f"/games/{game.key}/messages/mute", {"what": "spectators"})
    assert "Chatter" not in room_of(game, browser).content.decode()
    assert 'class="count">1' not in browser.get(f"/games/{game.key}/").content.decode()
    browser.post(f"/games/{game.key}/messages/unmute", {"what": "spectators"})
    assert "Chatter" in room_of(game, browser).content.decode()


def test_who_deletes_their_account_loses_their_name_and_the_words_stay(game: Game, cy: User, as_user: SignIn) -> None:
    dee = make_user("Dee")
    say(game, dee, "So long")
    commands.delete_account(user=dee, now=timezone.now())
    page = room_of(game, as_user(cy)).content.decode()
    assert "So long" in page
    assert "Former spectator" in page
    assert "Dee" not in page


def test_what_a_spectator_wrote_can_be_reported_with_its_words(game: Game, cy: User, as_user: SignIn) -> None:
    dee = make_user("Dee")
    say(game, dee, "An insult")
    browser = as_user(cy)
    assert f'href="/games/{game.key}/spectators/1/report/"' in room_of(game, browser).content.decode()
    assert "An insult" in browser.get(f"/games/{game.key}/spectators/1/report/").content.decode()
    for _time in range(2):
        browser.post(f"/games/{game.key}/spectators/1/report/", {"text": "Look"})
    report = Report.objects.get()
    assert (report.reported, report.quoted, report.game) == (dee, "An insult", game)
    say(game, cy, "And more")
    staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
    page = as_user(staff).get(f"/admin/games/report/{report.pk}/change/").content.decode()
    assert re.search(r"Dee \([^)]*\): An insult<br>Cy \([^)]*\): And more", page)


def test_all_of_it_is_read_in_pages_in_a_number_of_queries_that_stays(
    game: Game, cy: User, as_user: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    spectator, now, count = (
        Spectator.objects.create(game=game, user=make_user("Dee")),
        timezone.now(),
        2 * ROOM_SIZE + 3,
    )
    SpectatorMessage.objects.bulk_create(
        SpectatorMessage(game=game, number=n, spectator=spectator, text=f"word {n:03}", at=now)
        for n in range(1, count + 1)
    )
    browser, seen, query = as_user(cy), list[str](), ""
    while True:
        # Session, reader, waiting games, game, seats with their people, mute, messages, reactions.
        with django_assert_num_queries(8):
            page = browser.get(f"/games/{game.key}/spectators/{query}").content.decode()
        seen = [f"word {n:03}" for n in range(1, count + 1) if f"word {n:03}" in page] + seen
        if "Earlier messages" not in page:
            break
        query = "?before=" + page.split("Earlier messages")[0].rsplit("?before=", 1)[1].split('"')[0]
    assert seen == [f"word {n:03}" for n in range(1, count + 1)]


def test_an_open_page_that_asks_for_news_gets_the_list_or_nothing(game: Game, cy: User, as_user: SignIn) -> None:
    say(game, make_user("Dee"), "First")
    browser = as_user(cy)
    tag = room_of(game, browser)["HX-PTag"]
    assert room_of(game, browser, headers={**HTMX, "HX-PTag": tag}).status_code == HTTPStatus.NOT_MODIFIED
    say(game, make_user("Eve"), "Second")
    page = room_of(game, browser, headers={**HTMX, "HX-PTag": tag}).content.decode()
    assert "Second" in page
    assert "<textarea" not in page


@pytest.mark.parametrize(
    "statement", ["UPDATE games_spectatormessage SET text = 'no'", "DELETE FROM games_spectatormessage"]
)
def test_what_a_spectator_wrote_is_neither_changed_nor_deleted(statement: str, game: Game, cy: User) -> None:
    say(game, cy, "Yes")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert SpectatorMessage.objects.get().text == "Yes"
