"""The end of a game on its page: who won and by what, what everyone has, and the moves worth seeing again."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import unescape
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from engine.gravity.events import EventKind
from games import commands
from games.log import positions
from games.log.positions import replayed
from games.models import Game
from games.presenters.gravity.result import COLOURS, GravityResult, result_of
from games.queries.history import PastPosition, history
from games.web import ending
from tests.engine.play import scene, with_seat
from tests.flows.play import NOW, RULES, make_user, mover_of, play_randomly, random_turn, start_game, state_of

pytestmark = pytest.mark.django_db
NAMES = ("Julian", "Gyom", "Henri", "Emma")
RULEBOOK = ("b2y2p2o2w4r4", "b3y1p3g1w1", "y1g1o1w1r3", "b3y3p4g2o1w2r1")


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    game = start_game([ada, bo, make_user("Cy")], seed=3)
    play_randomly(game, 400, Random(3))
    return Game.objects.get(pk=game.pk)


def page_of(game: Game, client: Client | None = None, query: str = "") -> str:
    return str((client or Client()).get(f"/games/{game.key}/{query}").content.decode())


def ended(*loots: str, retired: Sequence[int] = ()) -> GravityResult:
    """Return the result of a game that ended with these loots, nothing told of the way there."""
    state = scene(players=len(loots))
    for seat, loot in enumerate(loots, 1):
        state = with_seat(state, seat, loot=loot)
    state = replace(state, finished=True, retired=tuple(seat - 1 for seat in retired))
    view, points = RULES.view(state, None), RULES.summary(state).points
    return result_of(
        [PastPosition(seq=0, seat=None, round=1, points=points, events=(), view=view)], NAMES[: len(loots)]
    )


# Who won, and by what


def test_the_example_of_the_rulebook_is_ranked_and_explained_as_there() -> None:
    result = ended(*RULEBOOK)
    assert result.headline == "Emma wins with 22 points, as many as Julian, but fewer replay tokens"
    assert result.notes == ("Where points are equal, fewer replay tokens decide: Emma (1) and Julian (4).",)
    rows = [(row.place, row.name, row.stars, row.pairs, row.tokens, row.points) for row in result.standings]
    assert rows == [
        (1, "Emma", (3, 3, 4, 2, 1, 2), 6, 1, 22),
        (2, "Julian", (2, 2, 2, 0, 2, 4), 6, 4, 22),
        (3, "Gyom", (3, 1, 3, 1, 0, 1), 2, 0, 11),
        (4, "Henri", (0, 1, 0, 1, 1, 1), 0, 3, 7),
    ]
    assert [standing and standing.name for standing in result.podium] == ["Julian", "Emma", "Gyom"]


@pytest.mark.parametrize(
    ("loots", "retired", "headline"),
    [
        (("b2", "y1"), (), "Julian wins with 3 points, 2 ahead of Gyom"),
        (("b1", ""), (), "Julian wins with 1 point, 1 ahead of Gyom"),
        (("b3", "y1g1", "w1p1"), (), "Julian wins with 4 points, 2 ahead of Gyom and Henri"),
        (("b2r1", "y2r1", "g1"), (), "Julian and Gyom share the win with 4 points each"),
        (("b1", "y4"), (2,), "Julian wins with 1 point: everyone else has left"),
        (("b1", "y4", "g1p1"), (2,), "Henri wins with 2 points, 1 ahead of Julian"),
    ],
)
def test_the_headline_says_by_what_was_won(loots: Sequence[str], retired: Sequence[int], headline: str) -> None:
    assert ended(*loots, retired=retired).headline == headline


def test_who_shares_a_place_is_told_so() -> None:
    result = ended("b4", "y2r1", "g2r1")
    assert [row.place for row in result.standings] == [1, 2, 2]
    assert result.notes == ("As many points and as many replay tokens share a place: Gyom (1) and Henri (1).",)


def test_seats_that_left_are_last_and_marked_whatever_they_have(ada: User, bo: User) -> None:
    game = start_game([ada, bo, make_user("Cy")], seed=5)
    play_randomly(game, 12, Random(5))
    fresh = Game.objects.get(pk=game.pk)
    commands.resign(game_key=game.key, user=ada, seq=fresh.seq, now=NOW)
    commands.resign(game_key=game.key, user=bo, seq=fresh.seq + 1, now=NOW)
    html = page_of(game)
    assert re.search(r"<strong>Cy wins with \d+ points?: everyone else has left</strong>", html)
    rows = re.findall(r'<tr role="row" class="([^"]*)">', html)
    assert rows == ["seat-3 winner", "seat-2 gone", "seat-1 gone"]
    assert html.count('<span class="soft">(out)</span>') == 2
    assert html.count('class="stair"') == 1


def test_the_table_has_what_the_engine_counts(game: Game) -> None:
    html = page_of(game)
    body = re.findall(r'<tr role="row" class="seat-(\d)[^"]*">(.*?)</tr>', html, re.DOTALL)
    last = replayed(game, game.seq)[game.seq].state
    summary = RULES.summary(last)
    assert sorted(int(seat) for seat, _cells in body) == [1, 2, 3]
    for seat, row in body:
        place, *stars, pairs, tokens, points = map(int, re.findall(r"<td[^>]*>(\d+)</td>", row))
        player = last.players[int(seat) - 1]
        assert [*stars, tokens] == list(player.loot)
        assert len(stars) == len(COLOURS)
        assert points == player.points == sum(stars) + tokens + pairs
        assert summary.ranking is not None
        assert place == summary.ranking[int(seat) - 1]


# Highlights


def test_the_highlights_are_the_greatest_gain_and_loss_of_the_whole_log(game: Game) -> None:
    html = page_of(game)
    gains, losses = {}, {}
    for before, after in pairwise(replayed(game, game.seq)[: game.seq + 1]):
        one, other = RULES.summary(before.state), RULES.summary(after.state)
        assert one.seat is not None
        gains[after.seq] = other.points[one.seat - 1] - one.points[one.seat - 1]
        victims = {event.params["victim"] for event in after.events if event.kind == EventKind.STOLE}
        losses[after.seq] = max((one.points[seat - 1] - other.points[seat - 1] for seat in victims), default=0)
    shown = re.findall(r"(?:gains|robs \w+ of) (\d+) points? <span[^>]*>\(move (\d+)\)", html)
    assert [int(points) for points, _move in shown] == [max(gains.values()), max(losses.values())]
    best, raid = (int(move) for _points, move in shown)
    assert (gains[best], losses[raid]) == (max(gains.values()), max(losses.values()))
    assert f'href="?at={best}" data-play="{best}"' in html
    assert f'href="?at={raid}" data-play="{raid}"' in html


def test_a_game_that_ends_at_once_has_no_highlights(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    html = page_of(game)
    assert "Bo wins with 0 points: everyone else has left" in html
    assert "Best move" not in html
    assert "Biggest robbery" not in html


# When it is shown


def test_a_running_game_and_a_past_position_have_no_result(game: Game, ada: User, bo: User) -> None:
    for html in (page_of(start_game([ada, bo])), page_of(game, query="?at=2")):
        assert "Final ranking" not in html
        assert "wins with" not in html
    assert "The game is over." in page_of(game, query="?at=2")


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_the_turn_that_ends_a_game_is_answered_by_its_result_alone(
    ada: User, bo: User, as_user: Callable[[User], Client], headers: dict[str, str]
) -> None:
    game, rng = start_game([ada, bo], seed=11), Random(11)
    while True:
        client, seq = as_user(mover_of(game)), Game.objects.get(pk=game.pk).seq
        sent = {"seq": seq, "steps": random_turn(state_of(game), rng)}
        response: Any = client.post(f"/games/{game.key}/turn", sent, headers=headers, follow=True)
        html = response.content.decode()
        if RULES.summary(state_of(game)).finished:
            break
        assert "Your turn has been played." in html
    assert "Your turn has been played." not in html
    said = re.search(r'data-say="([^"]*)"', html)
    assert said is not None
    assert re.match(r"\w+ (and \w+ )?(wins|share the win) with", unescape(said[1]))


def test_the_result_is_made_once_for_all_who_call_the_seats_alike(
    game: Game, ada: User, as_user: Callable[[User], Client], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    positions._replays.clear()
    ending._results._things.clear()
    client = as_user(ada)
    with django_assert_max_num_queries(16):
        page_of(game, client)
    with django_assert_max_num_queries(15):
        page_of(game, client)
    (kept,) = [thing for key, thing in ending._results._things.items() if game.key in key]
    page_of(game)
    assert [thing for key, thing in ending._results._things.items() if game.key in key] == [kept]
    german = Client().get(f"/games/{game.key}/", headers={"Accept-Language": "de"})
    assert " gewinnt mit " in german.content.decode()


def test_each_position_names_whose_entry_led_there(game: Game) -> None:
    past = list(history(game))
    assert [one.seq for one in past] == list(range(game.seq + 1))
    assert [one.seat for one in past[1:]] == list(game.entries.order_by("seq").values_list("seat", flat=True))
    assert [one.seq for one in history(game, game.seq)] == [game.seq]
    assert list(history(game, 5)) == past[5:]
