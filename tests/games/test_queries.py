"""What lists and pages are made of, and that it costs the same for every game."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries, tasks
from games.errors import GameCode, GameError
from games.log.positions import position_at, replayed
from games.log.table import ENDED
from games.models import Game, Pause
from games.queries import MyList
from games.queries.by_key import game_by_key
from tests.flows.play import NOW, RULES, long_game, make_user, mover_of, play, start_game, state_of
from tests.games.timed import DAILY, expire, start_timed, sweeps_live

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def offer(user: User, *, public: bool = True) -> Game:
    return commands.create_game(user=user, ruleset="gravity-1", size=2, options={}, public=public, bots=[], now=NOW)


# Cost


@pytest.mark.parametrize("turns", [1, 4, 60])
def test_a_page_costs_no_more_queries_the_longer_the_game_is(
    ada: User, bo: User, turns: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = long_game([ada, bo], turns)
    with django_assert_max_num_queries(5):
        queries.game_page(game.key, ada)
    with django_assert_max_num_queries(5):
        queries.game_page(game.key, None, at=1)


@pytest.mark.parametrize("turns", [4, 40])
def test_a_turn_costs_the_same_queries_whatever_the_length_of_the_game(
    ada: User, bo: User, turns: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = long_game([ada, bo], turns)
    mover = mover_of(game)
    with django_assert_max_num_queries(20) as counted:
        commands.play_turn(game_key=game.key, user=mover, seq=game.seq, turn="R=", now=NOW)
    assert not [
        query for query in counted.captured_queries if "games_entry" in query["sql"] and "SELECT" in query["sql"][:6]
    ]


@pytest.mark.parametrize(("outage", "asked"), [(False, 14), (True, 18)])
def test_a_turn_ended_by_the_clock_reads_each_calendar_once(
    ada: User, bo: User, outage: bool, asked: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = [start_timed([ada, bo], DAILY) for _game in range(2)]
    if outage:
        Pause.objects.create(reason="outage", start=NOW, end=NOW + timedelta(minutes=5))
    now = NOW + timedelta(days=2)
    sweeps_live(now)
    for game in games:
        commands.credit_game(game_id=game.pk, now=now)
    assert expire(games[0], now)  # what is compiled once is compiled now
    # Begin, look, lock, seats, outages, entry, heartbeats, charge, notice, two seats, game, notice, commit; and, where
    # something may stop a clock, holidays and pauses of who missed the turn and of who is next.
    with django_assert_num_queries(asked):
        assert expire(games[1], now)


@pytest.mark.parametrize("games", [1, 7])
def test_lists_cost_the_same_queries_whatever_the_number_of_games(
    ada: User, bo: User, games: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(games):
        offer(make_user(f"Offers{number}") if number else ada)
        start_game([ada, bo])
        commands.resign(game_key=start_game([ada, bo]).key, user=ada, seq=0, now=NOW)
    with django_assert_num_queries(3):
        assert len(queries.lobby().games) == games
    with django_assert_num_queries(1):
        assert len(queries.my_games(ada, MyList.TO_MOVE)) == games
    with django_assert_num_queries(2):
        assert queries.count_my_games(ada)[MyList.TO_MOVE] == games


# Lists


def test_the_lobby_shows_open_public_games_newest_first(ada: User, bo: User) -> None:
    older, newer = offer(ada), offer(bo)
    Game.objects.filter(pk=older.pk).update(created_at=NOW - timedelta(hours=1))
    offer(ada, public=False)
    start_game([ada, bo])
    commands.cancel_game(game_key=offer(ada).key, user=ada, now=NOW)
    assert queries.lobby().games == (newer, older)


def test_my_games_say_whose_move_it_is(ada: User, bo: User) -> None:
    mine, theirs, unstarted = start_game([ada, bo]), start_game([bo, ada]), offer(ada)
    ended = start_game([ada, bo])
    commands.resign(game_key=ended.key, user=bo, seq=0, now=NOW)
    start_game([bo, make_user("Cy")])
    asked = offer(bo)
    commands.invite(game_key=asked.key, user=bo, name="Ada", now=NOW)
    expected = {
        MyList.TO_MOVE: [mine],
        MyList.WAITING: [theirs],
        MyList.OPEN: [unstarted],
        MyList.INVITED: [asked],
    }
    assert {which: list(queries.my_games(ada, which)) for which in expected} == expected
    assert queries.ended_games(ada, 1) == ([ended], None)
    assert queries.count_my_games(ada) == dict.fromkeys(expected, 1)
    assert queries.count_my_games(bo)[MyList.INVITED] == 0
    assert list(queries.games_to_move(ada)) == [mine]
    for person, number in ((ada, 1), (bo, 2), (User.objects.get(display_name="Cy"), 0)):
        assert queries.count_games_to_move(person) == queries.games_to_move(person).count() == number


@pytest.mark.parametrize("status", sorted(ENDED))
def test_a_game_that_an_older_version_ended_is_found_by_the_next_day(status: str, ada: User, bo: User) -> None:
    game, running = start_game([ada, bo]), start_game([ada, bo])
    ended = {"status": status, "finished_at": NOW, "to_move": None, "deadline": None}
    Game.objects.filter(pk=game.pk).update(**ended)
    assert queries.ended_games(ada, 1) == ([], None)
    tasks.prune()
    assert queries.ended_games(ada, 1) == ([game], None)
    assert not running.seats.exclude(ended_at=None).exists()


def test_who_waits_longest_comes_first(ada: User, bo: User) -> None:
    first, second = start_game([ada, bo]), start_game([ada, bo])
    Game.objects.filter(pk=second.pk).update(turn_began_at=NOW - timedelta(days=1))
    assert list(queries.my_games(ada, MyList.TO_MOVE)) == [second, first]


# A page


def test_a_page_shows_the_last_position_with_the_newest_entries_first(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 6)
    page = queries.game_page(game.key, ada)
    assert (page.seq, page.is_latest, page.viewer_number) == (6, True, 1)
    assert [line.seq for line in page.log] == [6, 5, 4, 3, 2, 1]
    assert page.events == page.log[0].events
    assert page.events
    assert page.summary == RULES.summary(state_of(game))
    assert page.view == RULES.view(state_of(game), 1)


def test_every_position_of_an_ended_game_is_open_to_all(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 6)
    states = [position_at(game, seq).state for seq in range(7)]
    commands.resign(game_key=game.key, user=ada, seq=6, now=NOW)
    for seq, state in enumerate(states):
        assert queries.game_page(game.key, None, at=seq).view == RULES.view(state, None, ended=True)


def test_only_who_is_to_move_may_move_and_only_from_the_last_position(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 4)
    assert queries.game_page(game.key, ada).may_move
    assert not queries.game_page(game.key, bo).may_move
    assert not queries.game_page(game.key, None).may_move
    assert not queries.game_page(game.key, ada, at=3).may_move


def test_a_page_of_an_open_game_has_seats_and_no_board(ada: User) -> None:
    page = queries.game_page(offer(ada).key, ada)
    assert (page.view, page.summary, page.log, page.to_move, page.may_move) == (None, None, (), None, False)
    assert page.viewer is not None


def refusal(key: str, at: int | None = None) -> GameCode:
    with pytest.raises(GameError) as caught:
        queries.game_page(key, None, at=at)
    assert isinstance(caught.value.code, GameCode)
    return caught.value.code


def test_games_and_positions_that_are_not_there_are_refused(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 2)
    assert refusal("2" * 12) == GameCode.NO_SUCH_GAME
    assert {refusal(game.key, at) for at in (-1, 3, 10**12)} == {GameCode.NO_SUCH_POSITION}
    assert refusal(offer(ada).key, 0) == GameCode.NO_SUCH_POSITION


def test_the_log_comes_in_pages(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 6)
    assert [line.seq for line in queries.log_page(game, 1, size=2)] == [6, 5]
    assert [line.seq for line in queries.log_page(game, 1, size=2, before=5)] == [4, 3]
    assert queries.log_page(game, 1, before=1) == ()


def test_a_dropped_position_is_replayed_from_the_log(ada: User, bo: User) -> None:
    game = long_game([ada, bo], 6)
    page = queries.game_page(game.key, ada)
    Game.objects.filter(pk=game.pk).update(state="", events=[])
    assert queries.game_page(game.key, ada) == page


def test_past_positions_are_replayed_once_and_played_on_from_there(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = game_by_key(long_game([ada, bo], 6).key, None)
    with django_assert_num_queries(1):
        seen = replayed(game, 4)
    with django_assert_num_queries(0):
        assert replayed(game, 6) is seen
    play(game, "C" if "C" in RULES.legal_steps(state_of(game)) else "R=")
    later = Game.objects.get(pk=game.pk)
    with django_assert_num_queries(1) as asked:
        assert replayed(later, 7)[:7] == seen
    sql = asked.captured_queries[-1]["sql"].replace("(", "").replace(")", "")
    assert '"seq" > 6' in sql or sql.endswith(f"PARAMS = {game.pk}, 6"), "the entries from the seventh on"


def test_a_poll_learns_the_version_from_one_query(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = start_game([ada, bo])
    with django_assert_num_queries(1):
        assert queries.game_version(game.key, None) == (game.pk, game.version)
    with pytest.raises(GameError):
        queries.game_version("2" * 12, None)
