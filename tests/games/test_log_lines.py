"""The lines of the move log, which are kept once they are made: for whom, in which words, and until when."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries
from games.models import Game, Seat
from games.queries.log import LOG_SIZE
from games.web.log_lines import describe_age, narrated_log, shown_entries
from games.words.time import format_ago
from tests.flows.play import NOW, play, start_game

pytestmark = pytest.mark.django_db
HIDING = "S<(L)"
OPEN, HIDDEN = "<code>S&lt;(L)</code>", "<code>S&lt;(?)</code>"


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo], seed=1)


def log_of(game: Game, reader: User | None, *, at: int | None = None) -> str:
    page = queries.game_page(game.key, reader, at=at, lines=0)
    return narrated_log(page, shown_entries(page), [], marks={}, now=NOW, under=lambda _seq, _seat: "")


@pytest.mark.parametrize("readers", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_hidden_card_is_shown_to_its_owner_alone_whoever_reads_first(
    game: Game, ada: User, bo: User, readers: Sequence[int]
) -> None:
    play(game, HIDING)
    people = (ada, bo, None)
    for _again in range(2):
        for reader in readers:
            log = log_of(game, people[reader])
            assert (OPEN in log, HIDDEN in log) == (people[reader] == ada, people[reader] != ada)


def test_a_line_that_was_read_while_cards_were_hidden_is_open_after_the_end(game: Game, ada: User, bo: User) -> None:
    play(game, HIDING)
    assert HIDDEN in log_of(game, None)
    commands.resign(game_key=game.key, user=bo, seq=1, now=NOW)
    assert OPEN in log_of(game, None)
    assert OPEN in log_of(game, ada)


def test_what_was_read_before_costs_no_query(
    game: Game, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play(game, "R=")
    log_of(game, ada)
    with django_assert_num_queries(2):  # the game with its position, and its seats
        log_of(game, ada)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda: translation.override("nl"), id="language"),
        pytest.param(lambda: timezone.override("Asia/Tokyo"), id="zone"),
    ],
)
def test_a_kept_line_is_not_shown_to_who_reads_in_another(
    game: Game, ada: User, change: Callable[[], timezone.override | translation.override]
) -> None:
    play(game, "R=")
    before = log_of(game, ada)
    with change():
        other = log_of(game, ada)
    assert other != before
    assert log_of(game, ada) == before


def test_a_line_follows_the_name_of_its_seat(game: Game, ada: User) -> None:
    play(game, "R=")
    assert "Eve" not in log_of(game, ada)
    User.objects.filter(pk=ada.pk).update(display_name="Eve")
    assert "Ada" not in log_of(game, ada)
    assert '<span class="name">Eve</span>' in log_of(game, ada)


def test_only_the_entry_of_the_shown_position_is_marked(game: Game) -> None:
    play(game, "R=")
    play(game, "R=")
    for at in (0, 1, 2):
        log = log_of(game, None, at=at)
        assert [" shown" in line for line in log.split("<li ")[1:]] == [at == 2, at == 1]


def test_a_name_is_escaped_in_a_kept_line(game: Game, ada: User) -> None:
    Seat.objects.filter(game=game, user=ada).update(name="<b>")
    play(game, "R=")
    for _again in range(2):
        assert "<b>" not in log_of(game, None)


@pytest.mark.parametrize(
    ("seq", "at", "newest", "oldest"),
    [(5, 5, 5, 1), (5, 0, 5, 1), (40, 40, 40, 11), (40, 11, 40, 11), (40, 10, 24, 1), (40, 0, 14, 1), (99, 50, 64, 35)],
)
def test_the_log_shows_the_newest_entries_or_those_around_an_older_position(
    game: Game, seq: int, at: int, newest: int, oldest: int
) -> None:
    page = queries.game_page(game.key, None, lines=0)
    page.game.seq = seq
    object.__setattr__(page, "seq", at)
    shown = shown_entries(page)
    assert (shown[0], shown[-1]) == (newest, oldest)
    assert len(shown) <= LOG_SIZE


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize(
    "seconds",
    [-90_000, -5, 0, 1, 59, 60, 61, 3_599, 3_600, 86_399, 86_400, 90_001, 30 * 86_400, 400 * 86_400, 1_000 * 86_400],
)
def test_an_age_is_written_as_everywhere_else(seconds: int, language: str) -> None:
    with translation.override(language):
        for _again in range(2):
            moment = NOW - timedelta(seconds=seconds, milliseconds=100)
            assert describe_age(moment, NOW) == format_ago(seconds)
