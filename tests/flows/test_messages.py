"""What players write to each other: who sees it, how it is kept, and what a poll brings."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.models import MESSAGE_LENGTH, Game, Message
from games.queries.messages import MESSAGES_SIZE
from games.web.forms.message_text import tidy_message
from tests.flows.play import make_user, start_game

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
type Browse = Callable[[User | None], Client]


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


@pytest.fixture
def browse() -> Browse:
    def sign_in(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return sign_in


def page_of(game: Game, browser: Client, verb: str = "", **terms: Any) -> str:
    return browser.get(f"/games/{game.key}/{verb}", **terms).content.decode()


def write(game: Game, browser: Client, text: str, **terms: Any) -> Any:
    return browser.post(f"/games/{game.key}/messages", {"text": text}, **terms)


def test_what_a_player_writes_the_other_reads_newest_last(game: Game, ada: User, bo: User, browse: Browse) -> None:
    response = write(game, browse(ada), "Good luck!")
    assert (response.status_code, response["Location"]) == (HTTPStatus.SEE_OTHER, f"/games/{game.key}/#talk")
    write(game, browse(bo), "And to you.")
    page = page_of(game, browse(bo))
    assert 0 < page.index("Good luck!") < page.index("And to you.")
    assert "Only the players of this game see what is written here." in page


def test_guests_and_strangers_see_no_messages_and_nobody_finds_them_in_the_record(
    game: Game, ada: User, browse: Browse
) -> None:
    write(game, browse(ada), "Meet me at the airlock")
    for browser in (browse(None), browse(make_user("Cy"))):
        for verb, terms in {"": {}, "board": {"headers": HTMX}, "?at=0": {}, "terms/": {}, "messages/": {}}.items():
            page = page_of(game, browser, verb, **terms)
            assert "airlock" not in page
            assert "talk" not in page
    commands.resign(game_key=game.key, user=ada, seq=0, now=timezone.now())
    assert "airlock" not in page_of(game, browse(None))
    assert "airlock" not in page_of(game, browse(ada), "record")
    assert "airlock" in page_of(game, browse(ada))


def test_markup_in_a_message_is_text_and_lines_stay_lines(game: Game, ada: User, browse: Browse) -> None:
    write(game, browse(ada), "<b>Hi</b> & <script>alert(1)</script>\r\nSecond line")
    page = page_of(game, browse(ada))
    assert "&lt;b&gt;Hi&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;\nSecond line" in page


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Hi  ", "Hi"),
        ("a\u202eb\u2066c\u200fd\u061ce\ufefff", "abcdef"),
        ("a\x00\x07b\tc", "ab c"),
        ("a\r\n\r\n\r\n\r\nb\u2028c", "a\n\nb\nc"),
        ("👩\u200d🚀 hé\u0301", "👩\u200d🚀 hé\u0301"),
        ("e\u0301", "é"),
        ("\u200b\u200d \u202e\n", ""),
    ],
)
def test_a_message_is_kept_without_what_could_rearrange_the_page(typed: str, kept: str) -> None:
    assert tidy_message(typed) == kept


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("text", "words"),
    [("", "Write something first."), ("\u202e \n", "Write something first."), ("x" * 1001, "at most 1000 characters")],
)
def test_an_empty_or_too_long_message_is_refused_and_what_was_typed_stays(
    text: str, words: str, headers: dict[str, str], game: Game, ada: User, browse: Browse
) -> None:
    response = write(game, browse(ada), text, headers=headers)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert words in page
    assert text in page
    assert not Message.objects.exists()


def test_a_message_may_be_1000_characters_long(game: Game, ada: User, browse: Browse) -> None:
    assert write(game, browse(ada), "x" * MESSAGE_LENGTH).status_code == HTTPStatus.SEE_OTHER


def test_htmx_gets_the_messages_alone_with_an_empty_form(game: Game, ada: User, browse: Browse) -> None:
    response = write(game, browse(ada), "Good luck!", headers=HTMX)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.OK
    assert page.count("Good luck!") == 1
    assert "<textarea" in page
    assert 'id="game"' not in page


def test_the_same_request_twice_is_one_message(game: Game, ada: User, bo: User) -> None:
    now = timezone.now()
    for user, seconds in ((ada, 0), (ada, 5), (bo, 6), (ada, 7), (ada, 90)):
        commands.write_message(game_key=game.key, user=user, text="Hi", now=now + timedelta(seconds=seconds))
    assert list(game.messages.order_by("pk").values_list("seat", flat=True)) == [1, 2, 1, 1]


def test_a_poll_brings_what_others_wrote_even_while_a_turn_is_composed_and_no_form(
    game: Game, ada: User, bo: User, browse: Browse
) -> None:
    reader = browse(ada)
    tag = reader.get(f"/games/{game.key}/")["HX-PTag"]
    write(game, browse(bo), "Hurry up!")
    for verb in ("board", "board?composing=1&seq=0"):
        response = reader.get(f"/games/{game.key}/{verb}", headers={**HTMX, "HX-PTag": tag})
        page = response.content.decode()
        assert response.status_code == HTTPStatus.OK
        assert page.count("Hurry up!") == 2  # in the list, and beside the board
        assert "<textarea" not in page
        assert "has moved on" not in page


def test_who_plays_computers_alone_is_offered_nobody_to_write_to(ada: User, browse: Browse) -> None:
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=["nova:1"], now=timezone.now()
    )
    assert "Messages" not in page_of(game, browse(ada))


def test_the_newest_are_shown_with_a_way_to_all_earlier_ones(game: Game, ada: User, browse: Browse) -> None:
    now = timezone.now()
    count = 2 * MESSAGES_SIZE + 3
    Message.objects.bulk_create([Message(game=game, seat=1, text=f"word {n:03}", at=now) for n in range(count)])
    browser = browse(ada)
    seen: list[str] = []
    page = page_of(game, browser)
    while True:
        words = [f"word {n:03}" for n in range(count) if f"word {n:03}" in page]
        assert len(words) <= MESSAGES_SIZE
        seen = words + seen
        if "Earlier messages" not in page:
            break
        link = page.split("Earlier messages")[0].rsplit("?before=", 1)[1].split('"')[0]
        page = page_of(game, browser, f"messages/?before={link}")
        assert "Newest messages" in page
    assert seen == [f"word {n:03}" for n in range(count)]


@pytest.mark.parametrize("before", ["x", "-1", "", "9" * 19, "²"])
def test_a_number_that_is_none_is_not_found(before: str, game: Game, ada: User, browse: Browse) -> None:
    response = browse(ada).get(f"/games/{game.key}/messages/", {"before": before})
    assert response.status_code == HTTPStatus.NOT_FOUND


def test_messages_cost_one_query_however_many_there_are(
    game: Game, ada: User, browse: Browse, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = browse(ada)
    browser.get(f"/games/{game.key}/messages/")
    for count in (1, 60):
        rows = [Message(game=game, seat=2, text=f"{n}", at=timezone.now()) for n in range(count)]
        Message.objects.bulk_create(rows)
        browser.get(f"/games/{game.key}/messages/")
        # Session, reader, waiting games, game, seats with their people, messages, marks, reactions, mutes.
        with django_assert_num_queries(9):
            browser.get(f"/games/{game.key}/messages/")


def test_only_who_plays_writes_and_only_after_the_start(game: Game, ada: User, bo: User) -> None:
    stranger = make_user("Cy")
    waiting = commands.create_game(
        user=ada, ruleset="gravity-1", size=3, options={}, public=True, bots=[], now=timezone.now()
    )
    for user, key, code in (
        (stranger, game.key, "not-yours"),
        (ada, waiting.key, "not-running"),
        (bo, waiting.key, "not-yours"),
    ):
        with pytest.raises(Exception, match=code):
            commands.write_message(game_key=key, user=user, text="Hi", now=timezone.now())
    assert not Message.objects.exists()


def test_who_has_left_the_site_keeps_their_words_and_loses_their_name(
    game: Game, ada: User, bo: User, browse: Browse
) -> None:
    write(game, browse(bo), "So long")
    commands.delete_account(user=bo, now=timezone.now())
    page = page_of(game, browse(ada), "messages/")
    assert "So long" in page
    assert "Former player 2" in page
    assert ">Bo<" not in page


@pytest.mark.anydb
@pytest.mark.parametrize("statement", ["UPDATE games_message SET text = 'no'", "DELETE FROM games_message"])
def test_a_message_is_neither_changed_nor_deleted(statement: str, game: Game, ada: User) -> None:
    commands.write_message(game_key=game.key, user=ada, text="Yes", now=timezone.now())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert game.messages.get().text == "Yes"


def test_writing_is_limited_like_every_other_write(game: Game, ada: User, browse: Browse, settings: Any) -> None:
    settings.WRITE_LIMITS = {"": 2}
    browser = browse(ada)
    answers = [write(game, browser, f"word {number}").status_code for number in range(4)]
    assert HTTPStatus.TOO_MANY_REQUESTS in answers
    assert game.messages.count() == answers.count(HTTPStatus.SEE_OTHER)
