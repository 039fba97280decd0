"""What finished games came to: counted once, added up, and the same when all is counted again."""

from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import commands, tasks
from games.models import Career, Entry, Game, Mark, Result, Rivalry
from games.models.choices import Actor, GameKind, Status
from tests.flows.play import make_user, start_game
from tests.flows.test_series import finish

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
TABLES = (Result, Mark, Career, Rivalry)


def counted(*people: User) -> Game:
    game = finish(start_game(list(people)))
    assert commands.tally_game(game_id=game.pk)
    return Game.objects.get(pk=game.pk)


def everything() -> list[list[tuple[object, ...]]]:
    found = []
    for model in TABLES:
        names = [field.name for field in model._meta.concrete_fields if field.name != "id"]
        rows = model._default_manager.order_by(*[name for name in names if name != "counts"]).values_list(*names)
        found.append([tuple(row) for row in rows])
    return found


def test_each_person_has_a_result_and_the_sum_of_all_of_them(ada: User, bo: User) -> None:
    games = [counted(ada, bo), counted(bo, ada)]
    for person in (ada, bo):
        results = Result.objects.filter(user=person)
        career = Career.objects.get(user=person)
        assert (career.kind, career.public, career.games) == (GameKind.TWO, True, 2)
        assert career.points == sum(result.points for result in results)
        assert career.wins == sum(result.place == 1 for result in results)
        assert sum(career.counts.values()) == sum(sum(result.counts.values()) for result in results)
        for game in games:
            seat = game.seats.get(user=person)
            assert seat.number is not None
            result = results.get(game=game)
            assert (result.seat, result.points, result.place) == (seat.number, seat.points, seat.place)
            assert result.turns == result.in_time == Entry.objects.filter(game=game, seat=seat.number).count()
    one, other = Rivalry.objects.get(user=ada, rival=bo), Rivalry.objects.get(user=bo, rival=ada)
    assert (one.games, one.ahead, one.behind) == (other.games, other.behind, other.ahead)
    assert one.games == 2


def test_a_game_is_counted_once_and_only_when_it_is_over(ada: User, bo: User) -> None:
    running = start_game([ada, bo])
    assert not commands.tally_game(game_id=running.pk)
    game = counted(ada, bo)
    before = everything()
    assert not commands.tally_game(game_id=game.pk)
    assert everything() == before


def test_the_sweep_counts_what_is_over_and_one_that_fails_keeps_no_other_back(ada: User, bo: User) -> None:
    broken, sound = finish(start_game([ada, bo])), finish(start_game([bo, ada]))
    Game.objects.filter(pk=broken.pk).update(setup={})
    for _time in range(2):
        tasks.settle_games()
    assert list(Result.objects.values_list("game", flat=True).distinct()) == [sound.pk]
    assert not Game.objects.get(pk=broken.pk).is_tallied


def test_all_counted_again_is_the_same(ada: User, bo: User, cleo: User) -> None:
    for people in ([ada, bo], [bo, cleo, ada], [cleo, ada]):
        counted(*people)
    before = everything()
    out = StringIO()
    call_command("recount_results", stdout=out)
    assert out.getvalue() == "3 games counted, 0 failed\n"
    assert everything() == before
    call_command("recount_results", missing=True, stdout=out)
    assert everything() == before


def test_turns_that_the_autopilot_took_are_not_in_time_and_take_no_seconds(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    late = game.deadline
    assert late is not None
    mover = game.to_move or 0
    commands.expire_turn(game_id=game.pk, rng=Random(1), now=late + timedelta(minutes=1))
    assert Entry.objects.get().by == Actor.AUTOPILOT
    game = finish(game)
    commands.tally_game(game_id=game.pk)
    result = Result.objects.get(seat=mover)
    assert result.turns == result.in_time + 1
    assert result.seconds < (late - game.started_at).total_seconds()  # type: ignore[operator]


def test_computer_players_have_no_results_and_games_with_them_are_apart(ada: User) -> None:
    now = timezone.now()
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=2, options={}, public=False, bots=["nova:1"], now=now
    )
    finish(game)
    commands.tally_game(game_id=game.pk)
    assert Result.objects.get().kind == GameKind.BOTS
    assert Career.objects.get().public is False
    assert not Rivalry.objects.exists()


def test_who_deletes_their_account_leaves_only_what_others_have(ada: User, bo: User) -> None:
    game = counted(ada, bo)
    theirs = list(Career.objects.filter(user=ada).values())
    commands.delete_account(user=bo, now=timezone.now())
    assert not Rivalry.objects.exists()
    assert list(Career.objects.values()) == theirs
    assert Result.objects.get(user=None).game_id == game.pk


def test_counting_a_game_takes_as_many_statements_however_long_it_was(ada: User, bo: User) -> None:
    numbers = []
    for _game in range(2):
        game = finish(start_game([ada, bo]))
        with CaptureQueriesContext(connection) as queries:
            commands.tally_game(game_id=game.pk)
        numbers.append(len(queries))
    assert numbers[1] <= numbers[0]


def test_a_game_that_was_cancelled_counts_for_nothing(ada: User) -> None:
    game = start_game([ada, make_user("Dee")])
    Game.objects.filter(pk=game.pk).update(status=Status.CANCELLED, to_move=None, deadline=None, bot_to_move=False)
    assert not commands.tally_game(game_id=game.pk)
