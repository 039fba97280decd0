"""What is around messages: who has read them, what is new beside the board and in my games, mutes, and reactions."""

import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from importlib import import_module
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import User
from games import commands
from games.commands.react import MOST_REACTIONS
from games.errors import GameCode, GameError
from games.log.talk import Thing
from games.models import Game, Message, Muted, Reaction, ReactionKind, SeenMark
from games.notices.models import Notice
from games.queries.reactions import NAMED
from tests.flows.people import SignIn
from tests.flows.play import make_user, mover_of, play_randomly, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(ada: User, bo: User, cleo: User) -> Game:
    return start_game([ada, bo, cleo])


def say(game: Game, user: User, text: str) -> Message:
    commands.write_message(game_key=game.key, user=user, text=text, now=timezone.now())
    return game.messages.latest("pk")


def seat_number(game: Game, user: User) -> int:
    number = game.seats.get(user=user).number
    assert number is not None
    return number


def page_of(game: Game, browser: Client, verb: str = "", **terms: Any) -> str:
    return " ".join(browser.get(f"/games/{game.key}/{verb}", **terms).content.decode().split())


def refused(call: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as error:
        call()
    return error.value.code


def react(game: Game, user: User, thing: Thing, number: int, kind: ReactionKind = ReactionKind.HEART) -> None:
    commands.react(game_key=game.key, user=user, thing=thing, number=number, kind=kind, now=timezone.now())


# --- Who has read what ---------------------------------------------------------------------------------------------


def test_who_wrote_sees_who_of_the_others_has_read_it(
    game: Game, ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    say(game, ada, "First")
    assert "Seen by" not in page_of(game, as_user(ada), "messages/")
    for reader in (bo, cleo):
        page_of(game, as_user(reader), "messages/")
    say(game, ada, "Second")
    first, second = page_of(game, as_user(ada), "messages/").split("Second")
    assert "Seen by Bo and Cleo" in first
    assert "Seen by" not in second
    assert "Seen by" not in page_of(game, as_user(bo), "messages/")


def test_the_page_of_a_game_proves_no_reading_until_messages_come_into_sight(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    message = say(game, ada, "First")
    page = page_of(game, as_user(bo))
    assert not SeenMark.objects.filter(user=bo).exists()
    assert f'name="up_to" value="{message.pk}"' in page
    answer = as_user(bo).post(f"/games/{game.key}/messages/read", {"up_to": message.pk}, headers=HTMX)
    assert answer.status_code == HTTPStatus.OK
    assert SeenMark.objects.get(user=bo).up_to == message.pk
    assert "Mark as read" not in page_of(game, as_user(bo))


def test_who_keeps_to_themselves_what_they_have_read_does_not_see_it_of_others(
    game: Game, ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    as_user(bo).post("/accounts/display/", {"board_view": "printed"})
    say(game, ada, "From Ada")
    say(game, bo, "From Bo")
    for reader in (ada, bo, cleo):
        page_of(game, as_user(reader), "messages/")
    assert "Seen by Cleo" in page_of(game, as_user(ada), "messages/")
    assert "Seen by" not in page_of(game, as_user(bo), "messages/")


def test_whom_somebody_has_blocked_or_muted_they_are_not_said_to_have_read(
    game: Game, ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    say(game, ada, "First")
    commands.block(user=bo, number=ada.pk, now=timezone.now())
    seat = seat_number(game, ada)
    commands.mute_talk(game_key=game.key, user=cleo, what=Muted.PLAYER, seat=seat)
    for reader in (bo, cleo):
        say(game, reader, "Hello")
        page_of(game, as_user(reader), "messages/")
    assert "Seen by" not in page_of(game, as_user(ada), "messages/")


def test_a_mark_never_goes_back_and_nothing_is_written_where_nothing_is_new(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    old, new = say(game, ada, "First"), say(game, ada, "Second")
    for up_to in (new.pk, old.pk):
        commands.read_messages(game_key=game.key, user=bo, up_to=up_to, now=timezone.now())
    assert SeenMark.objects.get(user=bo).up_to == new.pk
    page_of(game, as_user(bo), "messages/")
    with CaptureQueriesContext(connection) as asked:
        page_of(game, as_user(bo), "messages/")
    assert [query["sql"] for query in asked if "games_seenmark" in query["sql"] and "SELECT" not in query["sql"]] == []


def test_what_nobody_knows_to_be_seen_is_not_said_to_be(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    message = say(game, ada, "From before there were marks")
    SeenMark.objects.create(game=game, user=bo, up_to=message.pk)
    assert "Seen by" not in page_of(game, as_user(ada), "messages/")
    assert "Mark as read" not in page_of(game, as_user(bo))


# --- What is new ---------------------------------------------------------------------------------------------------


def test_the_newest_unread_message_stands_beside_the_board_and_in_my_games(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    say(game, bo, "Well met")
    say(game, bo, "See\nyou <b>soon")
    page = page_of(game, as_user(ada))
    assert re.search(r'id="talk-line"> ?<a class="talk-line" href="#talk"><span class="count">2<', page)
    mine = " ".join(as_user(ada).get("/my-games/").content.decode().split())
    assert "<strong>Bo</strong> See you &lt;b&gt;soon</a>" in mine
    page_of(game, as_user(ada), "messages/")
    assert 'class="talk-line"' not in page_of(game, as_user(ada))
    assert "See you" not in as_user(ada).get("/my-games/").content.decode()
    assert 'class="talk-line"' not in page_of(game, as_user(bo))


def test_a_poll_brings_the_line_while_a_turn_is_composed(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    reader = as_user(mover_of(game))
    other = bo if mover_of(game) == ada else ada
    tag = reader.get(f"/games/{game.key}/")["HX-PTag"]
    say(game, other, "Hurry")
    page = page_of(game, reader, "board?composing=1&seq=0", headers={**HTMX, "HX-PTag": tag})
    assert '<hx-partial hx-target="#talk-line"' in page
    assert "Mark as read" in page


def test_more_unread_messages_than_are_counted_are_so_many_and_more(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    seat = seat_number(game, bo)
    rows = [Message(game=game, seat=seat, text=f"word {n}", at=timezone.now()) for n in range(15)]
    Message.objects.bulk_create(rows)
    for page in (page_of(game, as_user(ada)), as_user(ada).get("/my-games/").content.decode()):
        assert '<span class="count">9+<' in page


def test_my_games_are_read_in_as_many_queries_whatever_is_unread(
    ada: User, bo: User, as_user: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ada)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            browser.get("/my-games/")
        return len(queries)

    game = start_game([ada, bo])
    before = asked()
    for number in range(4):
        say(start_game([ada, bo], seed=number), bo, "Hello")
    say(game, bo, "Hello")
    assert asked() == before


# --- Mutes ---------------------------------------------------------------------------------------------------------


def test_whom_a_player_mutes_they_do_not_read_in_this_game_until_they_end_it(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    other = start_game([ada, bo])
    browser, seat = as_user(ada), seat_number(game, bo)
    for one in (game, other):
        say(one, bo, "Blah")
    browser.post(f"/games/{game.key}/messages/mute", {"what": "player", "seat": seat})
    assert "Blah" not in page_of(game, browser)
    assert "whom you have blocked or muted" in page_of(game, browser)
    assert "Blah" not in page_of(game, browser, "messages/")
    assert "Blah" in page_of(other, browser)
    browser.post(f"/games/{game.key}/messages/unmute", {"what": "player", "seat": seat})
    assert "Blah" in page_of(game, browser)


def test_who_wants_no_news_of_messages_finds_them_but_is_told_of_none(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    browser = as_user(ada)
    browser.post(f"/games/{game.key}/messages/mute", {"what": "messages"})
    say(game, bo, "Psst")
    page = page_of(game, browser)
    assert "Psst" in page
    assert 'class="talk-line"' not in page
    assert "Mark as read" not in page
    assert "Psst" not in browser.get("/my-games/").content.decode()
    assert not Notice.objects.filter(user=ada, topic="message").exists()
    assert Notice.objects.filter(user__display_name="Cleo", topic="message").exists()


@pytest.mark.parametrize(
    ("what", "seat"),
    [("player", 0), ("player", 99), ("player", "own"), ("messages", 1), ("x", 0), ("player", "x"), ("spectators", 0)],
)
def test_what_is_not_there_to_be_muted_is_not_found(
    what: str, seat: int | str, game: Game, ada: User, as_user: SignIn
) -> None:
    sent = seat_number(game, ada) if seat == "own" else seat
    response = as_user(ada).post(f"/games/{game.key}/messages/mute", {"what": what, "seat": sent})
    assert response.status_code == HTTPStatus.NOT_FOUND


# --- Reactions -----------------------------------------------------------------------------------------------------


def test_a_reaction_is_counted_with_names_and_pressed_once_more_taken_back(
    game: Game, ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    message = say(game, ada, "A fine move")
    react(game, cleo, Thing.MESSAGE, message.pk)
    browser, address = as_user(bo), f"/games/{game.key}/messages/{message.pk}/react/"
    assert browser.post(address, {"kind": "heart"}).status_code == HTTPStatus.SEE_OTHER
    page = page_of(game, browser)
    assert re.search(r'value="heart" aria-pressed="true" title="Bo and Cleo"><span[^>]*>a heart</span> 2<', page)
    answer = browser.post(address, {"kind": "heart"}, headers=HTMX).content.decode()
    assert 'aria-pressed="false" title="Cleo"' in answer
    assert "<html" not in answer
    assert Reaction.objects.get().user == cleo


def test_all_reactions_are_offered_on_a_page_and_to_htmx_in_place(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    address = f"/games/{game.key}/messages/{say(game, ada, 'A <b>').pk}/react/"
    for headers in ({}, HTMX):
        page = as_user(bo).get(address, headers=headers).content.decode()
        assert [kind for kind in ReactionKind.values if f'value="{kind}"' not in page] == []
        assert ("A &lt;b&gt;" in page) == (not headers)
    assert as_user(bo).post(address, {"kind": "x"}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_a_move_shows_reactions_to_everybody_and_offers_them_to_the_other_players(game: Game, as_user: SignIn) -> None:
    mover = mover_of(game)
    play_randomly(game, 1, Random(1))
    other = next(seat.user for seat in game.seats.select_related("user") if seat.user != mover)
    assert other is not None
    address = f"/games/{game.key}/moves/1/react/"
    assert f'href="{address}"' in page_of(game, as_user(other))
    assert f'href="{address}"' not in page_of(game, as_user(mover))
    assert f'href="{address}"' not in page_of(game, Client())
    as_user(other).post(address, {"kind": "wow"})
    assert f'<data value="wow" title="{other.display_name}">' in page_of(game, Client())
    assert f'<data value="wow" title="{other.display_name}">' in page_of(game, as_user(mover))


def test_a_reaction_is_news_for_open_pages(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    message = say(game, ada, "Hi")
    tag = as_user(ada).get(f"/games/{game.key}/")["HX-PTag"]
    react(game, bo, Thing.MESSAGE, message.pk)
    assert 'value="heart"' in page_of(game, as_user(ada), "board", headers={**HTMX, "HX-PTag": tag})
    assert not Notice.objects.filter(user=ada, topic="message").exists()


def test_what_is_ones_own_or_not_there_can_not_be_reacted_to(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    own, other_game = say(game, ada, "Mine"), start_game([ada, bo])
    for where, number in ((game, own.pk), (other_game, own.pk), (game, own.pk + 1)):
        assert refused(lambda: react(where, ada, Thing.MESSAGE, number)) is GameCode.NOTHING_TO_REACT_TO  # noqa: B023
        address = f"/games/{where.key}/messages/{number}/react/"
        assert as_user(ada).get(address).status_code == HTTPStatus.NOT_FOUND
    assert refused(lambda: react(game, ada, Thing.MOVE, 1)) is GameCode.NOTHING_TO_REACT_TO
    assert refused(lambda: react(game, make_user("Cy"), Thing.MESSAGE, own.pk)) is GameCode.NOT_YOURS


def test_reactions_have_a_limit_a_day_and_guests_and_the_silenced_have_none(game: Game, ada: User, bo: User) -> None:
    seat, now = seat_number(game, ada), timezone.now()
    Message.objects.bulk_create(Message(game=game, seat=seat, text="x", at=now) for _ in range(MOST_REACTIONS + 1))
    rows = list(game.messages.order_by("pk"))
    Reaction.objects.bulk_create(Reaction(game=game, user=bo, message=row, kind="sad", at=now) for row in rows[1:])
    assert refused(lambda: react(game, bo, Thing.MESSAGE, rows[0].pk)) is GameCode.TOO_MANY_REACTIONS
    react(game, bo, Thing.MESSAGE, rows[1].pk, ReactionKind.SAD)
    User.objects.filter(pk=bo.pk).update(silenced_until=now + timedelta(days=1))
    assert refused(lambda: react(game, bo, Thing.MESSAGE, rows[0].pk)) is GameCode.SILENCED
    react(game, bo, Thing.MESSAGE, rows[2].pk, ReactionKind.SAD)


def test_a_guest_account_reads_reactions_and_adds_none(ada: User, bo: User, as_user: SignIn) -> None:
    guest = guests.make_guest(language="en", now=timezone.now())
    game = start_game([ada, guest, bo], public=False)
    message = say(game, ada, "Hi")
    react(game, bo, Thing.MESSAGE, message.pk)
    assert refused(lambda: react(game, guest, Thing.MESSAGE, message.pk)) is GameCode.GUEST_WRITES
    page = page_of(game, as_user(guest))
    assert '<data value="heart" title="Bo">' in page
    assert "/react/" not in page


def test_of_many_who_react_alike_some_are_named_and_all_are_counted(game: Game, as_user: SignIn) -> None:
    people = [make_user(f"Fan{n}") for n in range(NAMED + 2)]
    commands.write_to_spectators(game_key=game.key, user=make_user("Cy"), text="Wow", now=timezone.now())
    for person in people:
        react(game, person, Thing.SPECTATOR_MESSAGE, 1)
    last = people[-1]
    page = " ".join(as_user(last).get(f"/games/{game.key}/spectators/").content.decode().split())
    shown = re.search(r'value="heart" aria-pressed="true" title="([^"]*)"><span[^>]*>a heart</span> (\d+)<', page)
    assert shown is not None
    assert int(shown[2]) == len(people)
    assert shown[1].startswith(f"{last.display_name}, Fan0, ")
    assert shown[1].endswith(" and others")


def test_reactions_cost_one_query_however_many_there_are(
    game: Game, ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    browser, seen = as_user(bo), list[int]()
    for _round in range(2):
        for number in range(3):
            message = say(game, ada, f"word {number} {_round}")
            for kind in ReactionKind:
                react(game, cleo, Thing.MESSAGE, message.pk, kind)
        page_of(game, browser, "messages/")
        with CaptureQueriesContext(connection) as asked:
            page_of(game, browser)
        seen.append(len(asked))
    assert seen[0] == seen[1]


def test_what_was_written_before_there_were_marks_counts_as_read(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    message = say(game, bo, "Long ago")
    with connection.cursor() as cursor:
        import_module("games.migrations.0031_read_so_far").mark(None, cursor)
    marks = SeenMark.objects.filter(game=game).values_list("up_to", "at")
    assert [*marks] == [(message.pk, None)] * 3
    assert "Mark as read" not in page_of(game, as_user(ada))
    assert "Seen by" not in page_of(game, as_user(bo))


def test_the_account_takes_its_marks_mutes_and_reactions_along(game: Game, ada: User, bo: User) -> None:
    message = say(game, ada, "Hi")
    react(game, bo, Thing.MESSAGE, message.pk)
    commands.read_messages(game_key=game.key, user=bo, up_to=message.pk, now=timezone.now())
    commands.mute_talk(game_key=game.key, user=bo, what=Muted.MESSAGES)
    commands.delete_account(user=bo, now=timezone.now())
    assert not Reaction.objects.exists()
    assert not SeenMark.objects.exists()
    assert game.messages.get().text == "Hi"
