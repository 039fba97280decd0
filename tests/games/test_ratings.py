"""Ratings from the results of games: which games are rated, in which order, and that they can be computed anew."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import guests, households
from accounts.models import Trace, User
from games import commands, tasks
from games.commands._ratings import lock_counter, month_of
from games.models import Game, Punctuality, Rating, RatingChange, RatingCounter, RatingMonth, Seat
from games.models.choices import Pool, Status, Unrated
from games.queries import due
from games.skill import ESTABLISHED, Skill, rate
from tests.flows.crowd import multiply
from tests.flows.play import NOW, make_user, mover_of, play_randomly, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

LATER = NOW + timedelta(hours=1)


def rated_game(users: Sequence[User], seed: int = 1, **terms: Any) -> Game:
    """Start a rated game in which everybody has had a turn."""
    game = start_game(users, seed=seed, **{"rated": True, **terms})
    play_randomly(game, len(users), Random(seed))
    return game


def resign(game: Game, user: User, minutes: int = 0) -> None:
    seq = Game.objects.get(pk=game.pk).seq
    commands.resign(game_key=game.key, user=user, seq=seq, now=NOW + timedelta(minutes=minutes))


def end(game: Game, *leavers: User, minutes: int = 0) -> Game:
    """Let players leave one after the other, until one is left; return the game as it is settled."""
    for user in leavers:
        resign(game, user, minutes)
    tasks.settle_games()
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    return game


def changes(game: Game) -> dict[str, tuple[int, int]]:
    rows = RatingChange.objects.filter(seat__game=game).select_related("seat")
    return {row.seat.name: (row.before, row.after) for row in rows}


def differences() -> str:
    return commands.check_ratings(now=LATER)


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


def test_a_result_changes_the_ratings_of_who_played(ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo]), bo)
    assert game.rating_number == 1
    assert changes(game) == {"Ada": (1500, 1566), "Bo": (1500, 1434)}
    better, worse = rate([Skill(), Skill()], [1, 2])
    assert Rating.objects.get(user=ada).skill == better
    assert Rating.objects.get(user=bo).skill == worse
    assert not differences()


def test_who_leaves_comes_last_and_who_left_first_comes_after_them(ada: User, bo: User, cy: User) -> None:
    game = end(rated_game([ada, bo, cy]), bo, ada)
    places = dict(RatingChange.objects.filter(seat__game=game).values_list("seat__name", "place"))
    assert places == {"Cy": 1, "Ada": 2, "Bo": 3}
    assert {rating.pool for rating in Rating.objects.all()} == {Pool.TABLE}


def test_games_for_two_and_for_more_make_ratings_apart(ada: User, bo: User, cy: User) -> None:
    end(rated_game([ada, bo]), bo)
    end(rated_game([ada, bo, cy]), cy, bo)
    assert list(Rating.objects.filter(user=ada).order_by("pool").values_list("pool", "games")) == [
        (Pool.DUEL, 1),
        (Pool.TABLE, 1),
    ]


def test_places_that_are_shared_are_shared_in_ratings(ada: User, bo: User, cy: User) -> None:
    game = rated_game([ada, bo, cy])
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, finished_at=NOW, to_move=None, deadline=None)
    for number, place in ((1, 1), (2, 1), (3, 3)):
        Seat.objects.filter(game=game, number=number).update(place=place)
    tasks.settle_games()
    first, second, third = changes(Game.objects.get(pk=game.pk)).values()
    assert first == second
    assert third[1] < 1500 < first[1]


def test_a_game_is_rated_once(ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo]), bo)
    assert not commands.settle_game(game_id=game.pk, now=LATER)
    tasks.settle_games()
    assert RatingChange.objects.count() == 2
    assert not commands.settle_game(game_id=0, now=LATER)


def test_a_game_whose_creator_does_not_want_it_is_not_rated(ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo], rated=False), bo)
    assert (game.settled, game.rating_number, game.unrated) == (True, None, "")
    assert not Rating.objects.exists()


def test_a_game_that_a_computer_player_joins_is_not_rated(ada: User, bo: User) -> None:
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=3, options={}, public=True, bots=[], now=NOW, rated=True
    )
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    commands.add_bot(game_key=game.key, user=ada, bot="nova:1", now=NOW)
    game.refresh_from_db()
    assert (game.status, game.unrated) == (Status.ACTIVE, Unrated.BOTS)
    assert not Rating.objects.exists()


def test_a_game_created_with_computer_players_is_not_even_called_rated(ada: User) -> None:
    assert not start_game([ada], bots=["nova:1"], rated=True).rated


def test_a_game_with_a_guest_is_not_rated(ada: User) -> None:
    guest = guests.make_guest(language="en", now=NOW)
    game = start_game([ada, guest], public=False, rated=True)
    assert game.unrated == Unrated.GUESTS


def test_a_game_that_ends_before_everyone_had_a_turn_is_not_rated(ada: User, bo: User) -> None:
    game = end(start_game([ada, bo], rated=True), ada)
    assert (game.unrated, game.settled) == (Unrated.UNPLAYED, True)
    assert not RatingChange.objects.exists()


def test_a_cancelled_game_is_never_looked_at(ada: User, bo: User) -> None:
    game = start_game([ada, bo], rated=True)
    commands.propose_cancel(game_key=game.key, user=ada, now=NOW)
    proposal = game.proposals.get()
    commands.answer_proposal(game_key=game.key, user=bo, proposal_id=proposal.pk, agree=True, now=NOW)
    assert not commands.settle_game(game_id=game.pk, now=LATER)
    assert not RatingChange.objects.exists()


@pytest.mark.parametrize("early", [True, False])
def test_a_game_within_one_household_is_not_rated(early: bool, ada: User, bo: User) -> None:
    def meet() -> None:
        for user in (ada, bo):
            households.note(user, {Trace.Kind.NETWORK: "198.51.100.7"}, NOW)

    if early:
        meet()
    game = rated_game([ada, bo])
    if not early:
        meet()
    game = end(game, bo)
    assert game.unrated == Unrated.HOUSEHOLD
    assert not RatingChange.objects.exists()


def test_who_deletes_their_account_loses_as_anybody_who_leaves(ada: User, bo: User) -> None:
    first = end(rated_game([ada, bo]), ada)
    game = rated_game([ada, bo], seed=2)
    commands.delete_account(user=bo, now=NOW)
    tasks.settle_games()
    game.refresh_from_db()
    assert changes(first)["Ada"] == (1500, 1434)
    assert game.rating_number == 2
    assert Rating.objects.get(user=ada).number > 1434
    assert Rating.objects.filter(user=None).count() == 1
    assert not differences()
    again = end(rated_game([ada, make_user("Bo")], seed=3), ada)
    assert changes(again)["Bo"][0] == 1500


def test_a_rating_is_provisional_for_ten_games_and_then_listed(ada: User, bo: User) -> None:
    for number in range(ESTABLISHED + 2):
        rating = Rating.objects.filter(user=ada).first()
        assert rating is None or (rating.provisional, rating.listed) == (number < ESTABLISHED, number >= ESTABLISHED)
        end(rated_game([ada, bo], seed=number), bo, minutes=number)
    month = RatingMonth.objects.get(rating__user=ada)
    last_two = RatingChange.objects.filter(rating__user=ada).order_by("-number")[:2]
    assert (month.month, month.games, month.gain) == (date(2026, 11, 1), 2, sum(change.gain for change in last_two))
    assert not differences()


def test_who_has_not_played_for_half_a_year_is_on_no_leaderboard(ada: User, bo: User) -> None:
    rating = Rating.objects.create(user=ada, pool=Pool.DUEL, listed=True, played_at=NOW)
    assert commands.unlist_idle(size=10, now=NOW + timedelta(days=183)) == 0
    assert commands.unlist_idle(size=10, now=NOW + timedelta(days=184)) == 1
    rating.refresh_from_db()
    assert not rating.listed


def test_games_are_rated_in_the_order_in_which_they_ended(ada: User, bo: User) -> None:
    games = [rated_game([ada, bo], seed=number) for number in range(3)]
    for minutes, game in zip((2, 0, 1), games, strict=True):
        resign(game, bo, minutes)
    tasks.settle_games()
    numbers = [Game.objects.get(pk=game.pk).rating_number for game in games]
    assert numbers == [3, 1, 2]


def test_a_game_that_is_found_late_is_rated_next_and_computed_so_again(ada: User, bo: User) -> None:
    """A transaction may commit after one that began later: what counts is the number, which is stored."""
    early, late = rated_game([ada, bo]), rated_game([ada, bo], seed=2)
    end(late, ada, minutes=5)
    end(early, bo, minutes=1)
    assert Game.objects.get(pk=early.pk).rating_number == 2
    assert commands.rebuild_ratings(now=LATER) == 0


def test_what_was_changed_by_hand_is_found_and_put_right(ada: User, bo: User) -> None:
    for number in range(3):
        end(rated_game([ada, bo], seed=number), bo, minutes=number)
    assert not differences()
    change = RatingChange.objects.order_by("number").first()
    assert change is not None
    RatingChange.objects.filter(pk=change.pk).update(mu_after=change.mu_after + 1e-12)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("rebuild_ratings", "--check", stdout=out)
    assert f"game {change.seat.game.key}, seat {change.seat.number}: mu_after is" in out.getvalue()
    call_command("rebuild_ratings", stdout=out)
    call_command("rebuild_ratings", "--check", stdout=out)
    assert out.getvalue().endswith("all ratings follow from the results, to the last digit\n")


def test_all_can_be_made_again_from_nothing_but_results(ada: User, bo: User, cy: User) -> None:
    for number in range(ESTABLISHED + 1):
        end(rated_game([ada, bo], seed=number), ada if number % 3 else bo, minutes=number)
    end(rated_game([ada, bo, cy]), cy, ada)
    tables = (RatingChange, RatingMonth, Punctuality)
    columns = [(table, [f.attname for f in table._meta.concrete_fields if f.name != "id"]) for table in tables]
    before = [sorted(map(str, table.objects.values_list(*names))) for table, names in columns]
    ratings = list(Rating.objects.order_by("pk").values_list())
    for table in tables:
        table.objects.all().delete()
    Rating.objects.update(mu=1.0, sigma=1.0, games=99, least=3.0, listed=False, played_at=None)
    RatingMonth.objects.create(rating_id=ratings[0][0], pool=Pool.DUEL, month=date(2020, 1, 1), games=9, gain=9)
    assert commands.rebuild_ratings(now=LATER) > 0
    assert [sorted(map(str, table.objects.values_list(*names))) for table, names in columns] == before
    assert list(Rating.objects.order_by("pk").values_list()) == ratings
    assert not differences()


def test_turns_played_in_time_are_counted_when_a_game_has_ended(ada: User, bo: User) -> None:
    game = rated_game([ada, bo], rated=False)
    user = mover_of(game)
    commands.expire_turn(game_id=game.pk, rng=Random(1), now=NOW + timedelta(days=30))
    game.refresh_from_db()
    assert game.seq == 3
    assert not Punctuality.objects.exists()
    end(game, bo, minutes=60 * 24 * 31)
    assert {(row.user_id, row.played, row.missed) for row in Punctuality.objects.all()} == {
        (ada.pk, 1, 1 if user == ada else 0),
        (bo.pk, 1, 1 if user == bo else 0),
    }
    assert not differences()


def test_turns_against_computer_players_tell_nothing(ada: User) -> None:
    game = start_game([ada], bots=["nova:1"])
    end(game, ada)
    assert not Punctuality.objects.exists()
    assert not differences()


def test_a_rated_game_that_waits_for_minutes_is_an_alarm(ada: User, bo: User) -> None:
    game = rated_game([ada, bo])
    resign(game, bo)
    assert not due.alarm(NOW + timedelta(minutes=10)).unsettled
    assert due.alarm(NOW + timedelta(minutes=11)).unsettled == game.key
    tasks.settle_games()
    assert not due.alarm(NOW + timedelta(minutes=11)).unsettled


# --- Many at once --------------------------------------------------------------------------------------------------


PEOPLE = [f"Player{number}" for number in range(6)]
ONE_GAME = st.tuples(st.permutations(range(len(PEOPLE))), st.integers(2, 3), st.booleans())


@pytest.mark.pg
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=st.lists(ONE_GAME, min_size=4, max_size=10))
def test_games_that_end_and_are_rated_at_once_add_up_to_the_last_digit(plan: list[tuple[list[int], int, bool]]) -> None:
    users = [User.objects.filter(display_name=name).first() or make_user(name) for name in PEOPLE]
    # All games begin at once too, with people who may have no rating yet; each ends while others are rated.
    with ThreadPoolExecutor(6) as pool:
        playing = [
            pool.submit(_play_whole_game, [users[index] for index in order[:size]], settles)
            for order, size, settles in plan
        ]
        for future in playing:
            future.result(timeout=120)
    tasks.settle_games()
    counter = RatingCounter.objects.get()
    numbers = RatingChange.objects.values_list("number", flat=True).distinct().order_by("number")
    assert list(numbers) == list(range(1, counter.last + 1))
    assert not Game.objects.filter(status=Status.FINISHED, settled=False).exists()
    assert not differences()
    assert commands.rebuild_ratings(now=LATER) == 0


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_nobody_waits_while_all_ratings_are_computed_anew(ada: User, bo: User) -> None:
    end(rated_game([ada, bo]), bo)
    game = rated_game([ada, bo], seed=2)
    resign(game, bo)
    with transaction.atomic():
        lock_counter()
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(_settle, game).result(timeout=30) is False
    assert _settle(game)


def _settle(game: Game) -> bool:
    try:
        return commands.settle_game(game_id=game.pk, now=LATER)
    finally:
        connection.close()


def _play_whole_game(users: list[User], settles: bool) -> None:
    try:
        game = rated_game(users)
        for user in users[:-1]:
            resign(game, user, minutes=len(users))
        if settles:
            tasks.settle_games()
    finally:
        connection.close()


def test_months_are_those_of_utc() -> None:
    assert month_of(datetime(2026, 11, 30, 23, 59, tzinfo=UTC)) == date(2026, 11, 1)


def test_a_game_that_can_not_be_rated_holds_up_those_after_it_and_nothing_else(ada: User, bo: User) -> None:
    broken, later = rated_game([ada, bo]), rated_game([ada, bo], seed=2)
    resign(broken, bo)
    resign(later, bo, minutes=1)
    seat = Seat.objects.get(game=broken, number=1)
    stray = RatingChange.objects.create(
        rating=Rating.objects.get(user=ada),
        seat=seat,
        number=7,
        place=1,
        games=1,
        at=NOW,
        **dict.fromkeys(MEASURES, 1.0),
    )
    tasks.settle_games()
    assert not Game.objects.filter(settled=True).exists()
    stray.delete()
    tasks.settle_games()
    assert list(Game.objects.order_by("rating_number").values_list("key", flat=True)) == [broken.key, later.key]


MEASURES = ("mu_before", "sigma_before", "mu_after", "sigma_after")


@pytest.mark.pg
def test_what_waits_to_be_settled_is_found_by_its_index(ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo]), bo)
    multiply(game, 2_000, rating_number=None)
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as asked:
        cursor.execute("ANALYZE games_game")
        due.games_to_settle(100)
        due.unsettled_game(NOW)
    for query in asked.captured_queries[1:]:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert "game_to_settle" in plan
        assert "Seq Scan" not in plan
