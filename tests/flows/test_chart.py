"""The chart of a game: what is drawn, for whom, and at what cost."""

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.log import positions
from games.log.positions import replayed
from games.models import Game
from games.queries.history import PastPosition, history
from games.web import chart
from tests.flows.play import NOW, RULES, play, play_randomly, random_turn, simple_pair, start_game, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    game = start_game([ada, bo], seed=2)
    play_randomly(game, 9, Random(2))
    return Game.objects.get(pk=game.pk)


def drawn(game: Game, query: str = "chart/") -> str:
    html = Client().get(f"/games/{game.key}/{query}").content.decode()
    found = re.search(r'<figure class="chart".*?</details>', html, re.DOTALL)
    return found[0] if found else ""


def test_a_running_game_shows_its_chart_to_who_asks_for_it(game: Game) -> None:
    address = f"/games/{game.key}/chart/"
    assert drawn(game, "") == ""
    assert f'href="{address}"' in Client().get(f"/games/{game.key}/").content.decode()
    fragment = Client().get(address, headers={"HX-Request": "true"}).content.decode()
    assert fragment.strip().startswith("<figure")
    assert drawn(game) in fragment
    assert drawn(game, "?at=4").count("<polyline") == 3


def test_a_finished_game_shows_its_chart_at_once(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 4, Random(1))
    commands.resign(game_key=game.key, user=bo, seq=4, now=NOW)
    assert drawn(Game.objects.get(pk=game.pk), "").count("<polyline") == 3


def test_there_is_no_chart_before_two_rounds_are_over(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    assert drawn(game) == ""
    assert "The chart begins when two rounds are over." in Client().get(f"/games/{game.key}/chart/").content.decode()
    play_randomly(game, 3, Random(1))
    assert drawn(game) == ""
    play_randomly(game, 1, Random(1))
    assert "<polyline" in drawn(game)
    assert "The chart begins" not in Client().get(f"/games/{game.key}/chart/").content.decode()


def test_the_lines_and_the_table_are_the_points_of_every_position(game: Game) -> None:
    html = drawn(game)
    summaries = [RULES.summary(one.state) for one in replayed(game, game.seq)[: game.seq + 1]]
    lines = re.findall(r'<polyline points="([^"]*)"', html)
    assert len(lines) == 3  # what is left, and a line a seat
    most = max(max(summary.points) for summary in summaries)
    for seat, line in enumerate(lines[1:]):
        heights = [float(corner.split(",")[1]) for corner in line.split()]
        points = [round((chart.BOTTOM - height) / (chart.BOTTOM - chart.TOP) * most) for height in heights]
        assert points == [summary.points[seat] for summary in summaries]
    rows = re.findall(r'<tr><th scope="row">(\d+)</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>', html)
    ends = [after for before, after in pairwise(summaries) if after.round > before.round]
    assert [int(row[0]) for row in rows] == list(range(1, summaries[-1].round + 1))
    assert [tuple(map(int, row[1:3])) for row in rows[: len(ends)]] == [end.points for end in ends]
    assert tuple(map(int, rows[-1][1:3])) == summaries[-1].points
    assert f'<desc id="chart-words">Points after 9 moves: Ada: {summaries[-1].points[0]} and' in html


def test_a_past_position_is_marked_and_the_last_one_is_not(game: Game) -> None:
    assert 'class="chart-now"' not in drawn(game)
    marks = [re.search(r'class="chart-now" d="M([\d.]+) ', drawn(game, f"?at={at}")) for at in (0, 4, 8)]
    places = [float(mark[1]) for mark in marks if mark]
    assert places == sorted(places)
    assert len(set(places)) == 3


def test_only_new_entries_are_read_and_no_query_is_added(
    game: Game, django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(game)
    asked: list[int] = []

    def note(game: Game, first: int) -> Iterator[PastPosition]:
        asked.append(first)
        return history(game, first)

    monkeypatch.setattr(chart, "history", note)
    drawn(game)
    assert asked == []
    play_randomly(game, 1, Random(1))
    drawn(game)
    assert asked == [9]
    fresh = Game.objects.get(pk=game.pk)
    positions.position_at(fresh, fresh.seq)
    with django_assert_num_queries(0):
        assert len(chart.figures_of(fresh)) == 11


def test_what_a_turn_that_was_undone_led_to_is_not_kept(game: Game) -> None:
    drawn(game)
    kept = chart._figures.find((game.key, game.setup_digest))
    assert kept is not None
    assert len(kept) == game.seq


def test_a_card_laid_face_down_leaves_no_mark(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 2, Random(3))
    pair = simple_pair(state_of(game))
    assert pair is not None
    twin = start_game([ada, bo])
    play_randomly(twin, 2, Random(3))
    for one, turn in ((game, pair[0]), (twin, pair[1])):
        play(one, turn)
        play(one, random_turn(state_of(one), Random(9)))
    assert drawn(game).replace(game.key, "") == drawn(twin).replace(twin.key, "") != ""


def test_two_names_never_stand_on_each_other() -> None:
    for heights in ([10.0] * 7, [130.0] * 7, [60, 61, 10, 130, 129, 62, 60]):
        apart = sorted(chart.apart(heights))
        assert all(after - before >= chart.LABEL - 0.1 for before, after in pairwise(apart))
        assert apart[0] >= chart.TOP
        assert apart[-1] <= chart.BOTTOM
