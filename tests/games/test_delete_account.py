"""Deleting an account: its seats lose their name, and nobody else loses a game."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from engine.chain import chain_of
from games import commands
from games.log.table import Table
from games.models import Entry, Game, Holiday
from games.models.choices import Reason, Status
from games.queries.log import record_for
from tests.flows.play import NOW, RULESET, make_user, play_randomly, start_game
from tests.games.timed import differences, fresh, start_timed

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo"), make_user("Cy")]


def delete(user: User) -> None:
    commands.delete_account(user=user, now=NOW)


def test_the_person_leaves_running_games_and_the_others_play_on(people: list[User]) -> None:
    game = start_game(people)
    play_randomly(game, 4, Random(1))
    delete(people[0])
    running = fresh(game)
    assert running.status == Status.ACTIVE
    entry = Entry.objects.filter(game=game).latest("seq")
    assert (entry.seat, entry.event, entry.reason) == (1, "retire", Reason.RESIGNED)
    play_randomly(running, 4, Random(2))
    assert differences(game) == []


def test_no_trace_of_the_name_is_left_in_seats_and_records(people: list[User]) -> None:
    game = start_game(people[:2])
    delete(people[0])
    assert fresh(game).status == Status.FINISHED
    assert "Ada" not in str(record_for(game.key, people[1]))
    assert "Ada" not in str(list(game.seats.values()))
    assert not User.objects.filter(display_name="Ada").exists()


def test_the_log_the_anchor_and_the_proof_of_a_game_stay(people: list[User]) -> None:
    game = start_game(people)
    play_randomly(game, 6, Random(1))
    commands.resign(game_key=game.key, user=people[1], seq=6, now=NOW)
    before = list(Entry.objects.filter(game=game).values_list("seq", "turn", "digest"))
    anchor = fresh(game).setup_digest
    delete(people[1])
    assert list(Entry.objects.filter(game=game).values_list("seq", "turn", "digest")) == before
    assert fresh(game).setup_digest == anchor
    assert differences(game) == []


def test_the_record_of_an_ended_game_still_proves_itself(people: list[User]) -> None:
    game = start_game(people[:2])
    play_randomly(game, 5, Random(1))
    delete(people[0])
    record = record_for(game.key, None)
    log = record["log"]
    assert isinstance(log, list)
    assert record["chain"] == list(chain_of(record, log))


def test_a_set_up_that_is_changed_in_anything_but_the_name_is_still_found_out(people: list[User]) -> None:
    game = start_game(people[:2])
    delete(people[0])
    changed = fresh(game)
    assert changed.setup is not None
    Game.objects.filter(pk=game.pk).update(setup={**changed.setup, "open_door": 1 - int(changed.setup["open_door"])})
    assert "the set-up is not the one that was drawn" in differences(game)


def test_a_name_that_is_changed_while_all_accounts_are_there_is_found_out(people: list[User]) -> None:
    game = start_game(people[:2])
    changed = fresh(game)
    assert changed.setup is not None
    Game.objects.filter(pk=game.pk).update(setup={**changed.setup, "players": ["Eve", "Bo"]})
    assert differences(game) == ["the set-up is not the one that was drawn"]


def test_open_games_lose_the_seat_or_their_creator(people: list[User]) -> None:
    own, other = (
        commands.create_game(user=user, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=NOW)
        for user in people[:2]
    )
    commands.join_game(game_key=other.key, user=people[0], now=NOW)
    delete(people[0])
    assert fresh(own).status == Status.CANCELLED
    assert fresh(other).status == Status.OPEN
    assert [seat.user for seat in other.seats.all()] == [people[1]]


def test_nothing_of_others_is_deleted(people: list[User]) -> None:
    finished, running = start_game(people[:2]), start_timed(people)
    commands.resign(game_key=finished.key, user=people[1], seq=0, now=NOW)
    commands.add_holiday(
        user=people[0], first=NOW.date() + timedelta(days=1), last=NOW.date() + timedelta(days=2), now=NOW
    )
    commands.add_holiday(
        user=people[1], first=NOW.date() + timedelta(days=1), last=NOW.date() + timedelta(days=2), now=NOW
    )
    seats = finished.seats.count() + running.seats.count()
    delete(people[0])
    assert finished.seats.count() + running.seats.count() == seats
    assert Holiday.objects.get().user == people[1]
    assert set(User.objects.all()) == set(people[1:])
    assert fresh(finished).status == Status.FINISHED


def test_two_deleted_people_of_a_game_have_different_names(people: list[User]) -> None:
    game = start_game(people)
    delete(people[0])
    delete(people[1])
    assert len(set(Table.of(fresh(game)).names)) == 3
    assert differences(game) == []
