"""The box above the board that tells a player what happened since their last turn."""

import re
from random import Random

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from engine.gravity.events import EventKind
from games import commands, queries
from games.log.positions import position_at
from games.models import Game, Seat
from games.models.choices import Status
from games.presenters.gravity.view import read_params
from games.queries.moves import recent_lines
from games.web.recap import lines_since, recap_of
from tests.flows.people import SignIn
from tests.flows.play import NOW, RULES, make_user, play, play_randomly, random_turn, start_game, state_of

pytestmark = pytest.mark.django_db
TITLE = "Since your last turn"


def play_until(game: Game, happened: EventKind, rng: Random) -> tuple[Game, int]:
    """Play greedily until something happens to a player; return the game and the victim's number."""
    while True:
        state = state_of(game)
        assert not RULES.summary(state).finished
        play(game, RULES.choose_turn("greedy", state, rng))
        now = Game.objects.get(pk=game.pk)
        for event in position_at(now, now.seq).events:
            if event.kind == happened:
                return now, read_params(event)["victim"]


def page_of(game: Game, reader: User | None, query: str = "") -> str:
    client = Client()
    if reader is not None:
        client.force_login(reader)
    return client.get(f"/games/{game.key}/{query}").content.decode()


def owner(game: Game, number: int) -> User:
    user = Seat.objects.get(game=game, number=number).user
    assert user is not None
    return user


def recap_in(page: str) -> str:
    found = re.search(r'<details id="recap".*?</details>', page, re.DOTALL)
    return "" if found is None else found[0]


@pytest.mark.parametrize("seed", range(3))
def test_who_was_ejected_reads_first_by_whom_where_and_what_it_cost(ada: User, bo: User, seed: int) -> None:
    game, victim = play_until(start_game([ada, bo], seed=seed + 1), EventKind.EJECTED, Random(seed))
    reader, thief = owner(game, victim), owner(game, 3 - victim)
    before, after = (RULES.summary(position_at(game, seq).state).points[victim - 1] for seq in (game.seq - 1, game.seq))
    page = page_of(game, reader)
    first = re.search(r"<li.*?</li>", recap_in(page), re.DOTALL)
    assert first is not None
    assert "grave" in first[0]
    assert f"{thief.display_name} ejected you on " in first[0]
    assert (f"Your points: {before} → {after}." in first[0]) == (before != after)
    assert f'href="?at={game.seq}"' in first[0]
    assert 'class="trail trail-last' in page, "a pawn that enters by itself hides nobody's last turn"
    assert 'class="trail trail-preview' not in page


def test_the_recap_goes_with_ones_own_turn_and_is_for_players_alone(ada: User, bo: User, cleo: User) -> None:
    game, victim = play_until(start_game([ada, bo]), EventKind.EJECTED, Random(1))
    reader = owner(game, victim)
    assert TITLE in page_of(game, reader)
    for other in (None, cleo):
        assert TITLE not in page_of(game, other)
    assert TITLE not in page_of(game, reader, f"?at={game.seq - 1}")
    play(game, random_turn(state_of(game), Random(2)))
    assert TITLE not in page_of(game, reader)


def test_every_rival_has_a_line_in_the_order_of_their_turns(ada: User, bo: User, cleo: User) -> None:
    game, rng = start_game([ada, bo, cleo]), Random(3)
    for _turn in range(3):
        play(game, RULES.choose_turn("greedy", state_of(game), rng))
    now = Game.objects.get(pk=game.pk)
    page = queries.game_page(game.key, owner(now, 1))
    found = recap_of(page, lines_since(page, recent_lines(page)))
    assert found is not None
    lines = found.lines
    assert [(line.seq, line.seat) for line in lines if not line.grave] == [(2, 2), (3, 3)]
    for line in lines:
        assert owner(now, line.seat).display_name in line.words


def test_who_has_not_had_a_turn_reads_what_happened_since_the_game_began(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    assert TITLE not in page_of(game, owner(game, 2))
    play(game, "R=")
    page = page_of(game, owner(game, 2))
    assert "Since the game began" in recap_in(page)
    assert TITLE not in page


def test_a_turn_that_was_played_for_somebody_is_told_to_them(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    mover = owner(game, 1)
    Seat.objects.filter(game=game, number=1).update(since=NOW.replace(year=2020))
    Game.objects.filter(pk=game.pk).update(deadline=NOW.replace(year=2020))
    assert commands.expire_turn(game_id=game.pk, rng=Random(1), now=NOW) is not None
    page = page_of(game, mover)
    assert escape("a computer player played this turn for you") in recap_in(page)
    assert 'data-since="0"' in page  # that turn is played on the board as those of others are


def test_an_opened_page_plays_what_came_after_the_readers_own_turn(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 3, Random(1))
    assert 'data-since="3"' in page_of(game, owner(game, 1))
    assert 'data-since="2"' in page_of(game, owner(game, 2))
    assert "data-since" not in Client().get(f"/games/{game.key}/").content.decode().replace('data-since="game', "")


def test_a_recap_costs_one_query_whatever_happened(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game, victim = play_until(start_game([ada, bo]), EventKind.EJECTED, Random(1))
    page = queries.game_page(game.key, owner(game, victim), lines=0)
    position_at(page.game, 1)
    with django_assert_num_queries(1):
        assert recap_of(page, lines_since(page, recent_lines(page)))


def test_the_end_and_an_open_game_have_no_recap(ada: User, bo: User, as_user: SignIn) -> None:
    game, victim = play_until(start_game([ada, bo]), EventKind.EJECTED, Random(1))
    ended = commands.resign(game_key=game.key, user=owner(game, 3 - victim), seq=game.seq, now=NOW)
    assert ended.status == Status.FINISHED
    assert TITLE not in as_user(owner(game, victim)).get(f"/games/{game.key}/").content.decode()
    opened = commands.create_game(
        user=make_user("Dana"), ruleset=game.ruleset, size=2, options={}, public=True, bots=[], now=NOW
    )
    assert recap_of(queries.game_page(opened.key, opened.creator), ()) is None
